//! What a job cost, beside what it cost the floor.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::row::{number, write_columns};

/// What a job, or a call, cost the subject and the floor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Costs {
    subject: Cost,
    floor: Cost,
}

/// What one job cost; `None` where it cannot be known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cost {
    transactions: f64,
    wal_bytes: f64,
    client_us: Option<f64>,
    server_us: Option<f64>,
}

/// Writes a table of what jobs cost, by row.
pub(super) fn write_costs(rows: &[(&str, Costs)], output: &mut impl Write) -> io::Result<()> {
    let head = ["one job of", "", "transactions", "WAL bytes", "client us", "server us"];
    let lines: Vec<[String; 6]> = rows
        .iter()
        .flat_map(|(bench, costs)| {
            [cells(bench, "subject", costs.subject), cells("", "floor", costs.floor)]
        })
        .collect();
    write_columns(&head, &lines, output)
}

fn cells(bench: &str, whose: &str, cost: Cost) -> [String; 6] {
    let time = |us: Option<f64>| us.map_or_else(|| "unknown".to_owned(), |us| format!("{us:.0}"));
    [
        bench.to_owned(),
        whose.to_owned(),
        number(Some(cost.transactions)),
        format!("{:.0}", cost.wal_bytes),
        time(cost.client_us),
        time(cost.server_us),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Cost, Costs, write_costs};

    #[test]
    fn what_cannot_be_known_is_called_unknown() {
        let subject =
            Cost { transactions: 0.25, wal_bytes: 1_234.4, client_us: Some(80.2), server_us: None };
        let floor = Cost { transactions: 2.0, ..subject };
        let mut output = Vec::new();
        write_costs(&[("noop", Costs { subject, floor })], &mut output).expect("written");
        let expected = "\
one job of           transactions  WAL bytes  client us  server us
noop        subject  0.25          1234       80         unknown
            floor    2.00          1234       80         unknown
";
        assert_eq!(String::from_utf8(output).expect("text"), expected);
    }
}
