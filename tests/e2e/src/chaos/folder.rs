//! The folder of a run, which stays when there is something to look at.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::database::{Database, Tables};
use super::plan::Keep;
use super::report::{Report, Verdict};
use crate::server::Logged;

/// Where a run has its files. They go with the value, unless they are kept, or it goes in a panic.
#[derive(Debug)]
pub(super) struct Folder(TempDir);

/// What a run left behind.
#[derive(Debug)]
pub(super) struct Left {
    folder: PathBuf,
    tables: Tables,
}

impl Folder {
    pub(super) fn new() -> Self {
        Self(TempDir::with_prefix("koinon-chaos-").unwrap())
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Lets it stay if the plan or what came of the run wants that, with everything in it that a reader looks
    /// at: the tables, what the provider was asked, what the processes logged, the artifacts, and the report.
    pub(super) fn settle(
        mut self,
        keep: Keep,
        database: &Database,
        log: &[Logged],
        report: &mut Report,
    ) {
        if keep == Keep::Failed && report.verdict() == Verdict::Kept {
            return;
        }
        self.0.disable_cleanup(true);
        let folder = self.path().to_owned();
        std::fs::write(folder.join("requests.jsonl"), lines(log)).unwrap();
        std::fs::write(folder.join("report"), format!("{report}{}\n", report.json())).unwrap();
        let tables = database.left_in(&folder);
        report.left = Some(Left { folder, tables });
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.disable_cleanup(true);
            let path = self.path().display();
            writeln!(std::io::stderr(), "what there is of the run is in {path}").ok();
        }
    }
}

/// What the provider was asked, one JSON object a line.
fn lines(log: &[Logged]) -> String {
    let line = |Logged { asked, outcome }: &Logged| {
        let line = json!({
            "number": asked.number,
            "at_us": asked.at_us,
            "key": asked.key,
            "passage": asked.passage,
            "outcome": format!("{outcome:?}"),
        });
        format!("{line}\n")
    };
    log.iter().map(line).collect()
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        writeln!(f, "what the run left is in {folder}; to look at a job by its id:")?;
        let url = match &self.tables {
            Tables::File(file) => Some(format!("sqlite://{}", file.display())),
            Tables::Dump(dump) => {
                let dump = dump.display();
                writeln!(f, "    createdb chaos && psql chaos --quiet --file {dump}")?;
                Some("postgres:///chaos".to_owned())
            }
            Tables::Nowhere(_) => None,
        };
        if let Some(url) = url {
            writeln!(f, "    cargo run --bin koinon -- --database {url} job explain ID")?;
            writeln!(f, "    cargo run --bin koinon -- --database {url} job events ID")?;
        }
        writeln!(f, "    grep ID {folder}/requests.jsonl")?;
        writeln!(f, "    grep ID {folder}/logs/*")?;
        match &self.tables {
            Tables::Nowhere(why) => writeln!(f, "the tables are not there: {why}"),
            Tables::File(_) | Tables::Dump(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
