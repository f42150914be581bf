//! The backlog as gauges.
//!
//! Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>, the text format.

use std::fmt::{Display, Write as _};

use super::{Availability, BacklogSnapshot, QueueDemand};

/// A gauge of each queue.
struct Gauge {
    name: &'static str,
    help: &'static str,
    values: fn(&QueueDemand) -> Vec<(&'static str, f64)>,
}

const GAUGES: [Gauge; 3] = [
    Gauge {
        name: "koinon_backlog_jobs",
        help: "Living jobs of a queue by where they stand; 10001 means more than 10000.",
        values: |queue| {
            let backlog = &queue.backlog;
            vec![
                ("ready", f64::from(backlog.ready)),
                ("active", f64::from(backlog.active)),
                ("retry", f64::from(backlog.retry)),
                ("deferred", f64::from(backlog.deferred)),
                ("paused", f64::from(backlog.paused)),
                ("blocked", f64::from(backlog.blocked)),
                ("set_aside", f64::from(backlog.set_aside)),
            ]
        },
    },
    Gauge {
        name: "koinon_backlog_oldest_ready_age_seconds",
        help: "How long the job has waited that has been ready for longest; 0 if none is ready.",
        values: |queue| {
            let age = queue.backlog.oldest_ready_age.unwrap_or_default();
            vec![("", age.as_secs_f64())]
        },
    },
    Gauge {
        name: "koinon_backlog_per_replica_capacity",
        help: "Jobs of a queue that one worker process runs at once.",
        values: |queue| vec![("", f64::from(queue.per_replica_capacity))],
    },
];

pub(super) fn text(snapshot: &BacklogSnapshot) -> String {
    let mut text = Text(String::new());
    let capacity = "koinon_backlog_process_capacity";
    text.head(capacity, "Jobs that one worker process runs at once, over all queues.");
    text.sample(capacity, &[], snapshot.process_capacity);
    let available = "koinon_datasource_available";
    text.head(available, "Whether a datasource answered; if not, nothing is known of its queues.");
    for datasource in &snapshot.datasources {
        let answered = matches!(datasource.queues, Availability::Available(_));
        text.sample(available, &[("datasource", datasource.datasource.name())], u8::from(answered));
    }
    for gauge in &GAUGES {
        text.head(gauge.name, gauge.help);
        for datasource in &snapshot.datasources {
            let Availability::Available(queues) = &datasource.queues else { continue };
            for queue in queues {
                for (standing, value) in (gauge.values)(queue) {
                    let labels = [
                        ("datasource", datasource.datasource.name()),
                        ("queue", queue.backlog.queue.as_str()),
                        ("standing", standing),
                    ];
                    let count = if standing.is_empty() { 2 } else { 3 };
                    text.sample(gauge.name, labels.get(..count).unwrap_or(&labels), value);
                }
            }
        }
    }
    text.0
}

/// The text in the making. Writing to a `String` cannot fail.
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, help: &str) {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} gauge"));
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let pair = |(name, value): &(&str, &str)| format!("{name}=\"{}\"", escaped(value));
        let labels = labels.iter().map(pair).collect::<Vec<_>>().join(",");
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{labels}}} {value}"));
        }
    }

    fn line(&mut self, line: impl Display) {
        writeln!(self.0, "{line}").ok();
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use koinon_domain::{ErrorCode, QueueName};
    use koinon_store::QueueBacklog;

    use super::super::{Datasource, DatasourceBacklog};
    use super::*;

    fn snapshot(queues: Availability) -> String {
        let datasources = vec![DatasourceBacklog { datasource: Datasource::Primary, queues }];
        text(&BacklogSnapshot { process_capacity: 4, datasources })
    }

    #[test]
    fn every_count_of_a_queue_is_a_series() {
        let queue = QueueName::try_new("a \"b\\").unwrap();
        let backlog = QueueBacklog {
            ready: 10_001,
            active: 2,
            oldest_ready_age: Some(Duration::from_millis(1_500)),
            ..QueueBacklog::empty(queue)
        };
        let demand = QueueDemand { backlog, per_replica_capacity: 4 };
        let text = snapshot(Availability::Available(vec![demand]));
        let labels = r#"datasource="primary",queue="a \"b\\""#;
        for line in [
            "koinon_backlog_process_capacity 4".to_owned(),
            r#"koinon_datasource_available{datasource="primary"} 1"#.to_owned(),
            format!(r#"koinon_backlog_jobs{{{labels},standing="ready"}} 10001"#),
            format!(r#"koinon_backlog_jobs{{{labels},standing="active"}} 2"#),
            format!(r#"koinon_backlog_jobs{{{labels},standing="set_aside"}} 0"#),
            format!("koinon_backlog_oldest_ready_age_seconds{{{labels}}} 1.5"),
            format!("koinon_backlog_per_replica_capacity{{{labels}}} 4"),
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn nothing_is_said_of_the_queues_of_a_datasource_that_is_unavailable() {
        let text = snapshot(Availability::Unavailable { code: ErrorCode::STORE_UNAVAILABLE });
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let available = r#"koinon_datasource_available{datasource="primary"} 0"#;
        assert_eq!(samples, ["koinon_backlog_process_capacity 4", available]);
    }
}
