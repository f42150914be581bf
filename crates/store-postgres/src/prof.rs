use std::sync::Mutex;
use std::collections::BTreeMap;
use std::time::Instant;
pub static S: Mutex<BTreeMap<&'static str, (u64, f64, f64)>> = Mutex::new(BTreeMap::new());
pub static T0: Mutex<Option<Instant>> = Mutex::new(None);
pub fn add(k: &'static str, n: usize, since: Instant) {
    let d = since.elapsed().as_secs_f64() * 1e3;
    let mut s = S.lock().unwrap();
    let e = s.entry(k).or_default();
    e.0 += 1; e.1 += n as f64; e.2 += d;
    let mut t0 = T0.lock().unwrap();
    let t = t0.get_or_insert_with(Instant::now);
    if t.elapsed().as_secs_f64() > 0.5 {
        let el = t.elapsed().as_secs_f64();
        let line: Vec<String> = s.iter().map(|(k, (c, n, d))| format!("{k}: {:.0}/s n={:.1} {:.2}ms", *c as f64/el, n / *c as f64, d / *c as f64)).collect();
        eprintln!("PROF {}", line.join(" | "));
        s.clear(); *t = Instant::now();
    }
}
