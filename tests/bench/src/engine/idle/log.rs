//! The log of a server that logs every statement.

use std::collections::BTreeMap;
use std::time::Duration;

/// What each line of the server begins with: whose session it is.
pub(super) const PREFIX: &str = "%u|";

/// How much of a statement is told.
const TOLD: usize = 80;

/// How often each user executed each statement, by its first line. What opens and ends a transaction counts
/// too, as the server logs it.
#[derive(Debug, Default)]
pub(super) struct Statements(BTreeMap<String, BTreeMap<String, u32>>);

impl Statements {
    pub(super) fn read(log: &str) -> Self {
        let mut all = Self::default();
        for (user, statement) in log.lines().filter_map(executed) {
            let of_user = all.0.entry(user.to_owned()).or_default();
            *of_user.entry(statement.chars().take(TOLD).collect()).or_default() += 1;
        }
        all
    }

    /// How many statements this user executed in a second.
    pub(super) fn per_s(&self, user: &str, took: Duration) -> f64 {
        let count: u32 = self.0.get(user).into_iter().flat_map(BTreeMap::values).sum();
        f64::from(count) / took.as_secs_f64()
    }

    /// How often one of these users executes each of them, the most frequent first.
    #[expect(clippy::cast_precision_loss, reason = "some workers")]
    pub(super) fn told(&self, users: &[String], took: Duration) -> Vec<String> {
        let mut by_statement: BTreeMap<&str, u32> = BTreeMap::new();
        for (statement, count) in users.iter().filter_map(|user| self.0.get(user)).flatten() {
            *by_statement.entry(statement).or_default() += count;
        }
        let mut counts: Vec<(&str, u32)> = by_statement.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let per_s = |count| f64::from(count) / took.as_secs_f64() / users.len() as f64;
        let told = |(statement, count)| format!("{:.3}/s a worker: {statement}", per_s(count));
        counts.into_iter().map(told).collect()
    }
}

/// The user, and the first line of the statement; `None` for a line that tells of none, or goes on with one.
fn executed(line: &str) -> Option<(&str, &str)> {
    let (user, says) = line.split_once("|LOG:  ")?;
    if let Some(statement) = says.strip_prefix("statement: ") {
        return Some((user, statement));
    }
    let (_name, statement) = says.strip_prefix("execute ")?.split_once(": ")?;
    Some((user, statement))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Statements;

    const LOG: &str = "\
worker_0|LOG:  statement: BEGIN
worker_0|LOG:  execute sqlx_s_1: -- Whether there is work.
\tSELECT 1
worker_0|DETAIL:  parameters: $1 = 'execute x: y'
worker_0|LOG:  statement: COMMIT
worker_1|LOG:  execute sqlx_s_9: -- Whether there is work.
|LOG:  checkpoint starting: time
";

    #[test]
    fn every_statement_counts_once_and_for_whom_it_is() {
        let statements = Statements::read(LOG);
        let second = Duration::from_secs(1);
        let of = |user| statements.per_s(user, second);
        assert_eq!([of("worker_0"), of("worker_1"), of("")], [3.0, 1.0, 0.0]);
        let told = statements.told(&["worker_0".to_owned(), "worker_1".to_owned()], second);
        assert_eq!(told[0], "1.000/s a worker: -- Whether there is work.");
        assert_eq!(told.len(), 3);
        assert_eq!(statements.told(&["worker_1".to_owned()], second).len(), 1);
    }
}
