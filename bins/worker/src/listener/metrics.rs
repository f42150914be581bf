//! What a worker tells of itself, in the text format of Prometheus.

use koinon::{Queue, Standing, Workers};
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

type Labels = Vec<(&'static str, String)>;

/// The metrics at this moment. Everything is read when it is asked for, so nothing is counted twice; what the
/// databases say may be some seconds old.
pub(super) async fn text(workers: &Workers) -> String {
    let mut text = workers.backlog().await.prometheus();
    let standing = workers.standing();
    let mut registry = Registry::with_prefix("koinon");
    process(&mut registry, workers, &standing);
    datasources(&mut registry, &standing);
    queues(&mut registry, &standing);
    // Writing to a `String` cannot fail.
    let _written = encode_registry(&mut text, &registry);
    text
}

fn process(registry: &mut Registry, workers: &Workers, standing: &[Standing]) {
    let bulkhead = workers.bulkhead();
    let gauges = [
        ("permits", "Root operations that may run at once.", bulkhead.capacity()),
        ("permits_free", "Permits that nobody has.", bulkhead.available()),
        ("permits_waiting", "Queues with work that wait for a permit.", bulkhead.waiting()),
        ("draining", "Whether the process was told to stop.", workers.is_stopped().into()),
    ];
    for (name, help, value) in gauges {
        let gauge = Gauge::<i64>::default();
        gauge.set(value.try_into().unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    }
    let counters = [
        (
            "calls",
            "Requests that were sent to providers.",
            standing.iter().map(|one| one.calls).sum(),
        ),
        (
            "calls_replayed",
            "Calls whose stored answer or result served.",
            standing.iter().map(|one| one.replayed_calls).sum(),
        ),
    ];
    for (name, help, value) in counters {
        let counter = Counter::<u64>::default();
        counter.inc_by(value);
        registry.register(name, help, counter);
    }
}

fn datasources(registry: &mut Registry, standing: &[Standing]) {
    let up = Family::<Labels, Gauge>::default();
    for site in standing {
        for datasource in &site.datasources {
            let labels = vec![("datasource", datasource.to_string())];
            up.get_or_create(&labels).set(site.is_available.into());
        }
    }
    let help = "Whether the database of a datasource answered when it was last asked.";
    registry.register("datasource_up", help, up);
}

fn queues(registry: &mut Registry, standing: &[Standing]) {
    let (held, capacity) = (Family::<Labels, Gauge>::default(), Family::<Labels, Gauge>::default());
    for (queue, running) in standing.iter().flat_map(|site| &site.queues) {
        let labels = labels(queue);
        held.get_or_create(&labels).set(i64::try_from(*running).unwrap_or(i64::MAX));
        capacity.get_or_create(&labels).set(queue.per_replica_capacity.into());
    }
    registry.register("queue_running", "Jobs of a queue that run in this process.", held);
    let help = "Jobs of a queue that this process runs at once.";
    registry.register("queue_capacity", help, capacity);
}

fn labels(queue: &Queue) -> Labels {
    vec![("datasource", queue.datasource.to_string()), ("queue", queue.name.to_string())]
}
