//! Faults that are planted into a copy of the source, to show that chaos sees them.

use std::path::Path;

use anyhow::{Context as _, ensure};
use clap::ValueEnum;

/// A fault: one promise that the engine then breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Plant {
    /// The fence lets workers pass whose lease is lost
    GenerationGuard,
    /// Stored answers are not looked up
    Replay,
    /// Limits are not checked when a hold opens
    Hold,
    /// Rows name artifacts that are not written yet
    BlobOrder,
}

/// A piece of a file that has to be there once, and what takes its place.
#[derive(Debug)]
struct Edit {
    path: &'static str,
    find: &'static str,
    replace: &'static str,
}

/// A file as the fault leaves it.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) path: &'static str,
    pub(super) text: String,
}

const COMMIT: &str = "crates/store/src/decide/commit.rs";

const GENERATION_GUARD: &[Edit] = &[
    Edit {
        path: COMMIT,
        find: "        Some((at, _)) if at > generation => Known::Overtaken,\n",
        replace: "",
    },
    Edit { path: COMMIT, find: "        && run.generation == commit.generation\n", replace: "" },
    // An owner is one process, so it would stop most of what the generation stops.
    Edit {
        path: COMMIT,
        find: "        && run.lease.is_some_and(|lease| lease.owner == commit.owner)\n",
        replace: "",
    },
];

const REPLAY: &[Edit] = &[Edit {
    path: "crates/runner/src/door/replay.rs",
    find: "        self.0.get(&(call, sample))?.answer.as_ref()\n",
    replace: "        self.0.get(&(call, sample))?.answer.as_ref().filter(|_| false)\n",
}];

const HOLD: &[Edit] = &[Edit {
    path: COMMIT,
    find: "changes.run.balance.check(&changes.run.limits, hold.held) {\n",
    replace: "changes.run.balance.check(&Default::default(), hold.held) {\n",
}];

const BLOB_ORDER: &[Edit] = &[Edit {
    path: "crates/runner/src/stored.rs",
    find: "    let digest = artifacts.put(bytes.into()).await?;\n",
    replace: "    let digest = koinon_domain::Digest::of(&bytes);
    let artifacts = artifacts.clone();
    tokio::spawn(async move {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        artifacts.put(bytes.into()).await
    });\n",
}];

impl Plant {
    /// As the command line takes it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::GenerationGuard => "generation_guard",
            Self::Replay => "replay",
            Self::Hold => "hold",
            Self::BlobOrder => "blob_order",
        }
    }

    /// What is wrong then.
    pub(super) const fn says(self) -> &'static str {
        match self {
            Self::GenerationGuard => "a worker whose lease is lost can write",
            Self::Replay => "a stored answer is not looked up, so it is paid for again",
            Self::Hold => "no limit is checked when a hold opens",
            Self::BlobOrder => "a row is committed before the artifact that it names is written",
        }
    }

    const fn edits(self) -> &'static [Edit] {
        match self {
            Self::GenerationGuard => GENERATION_GUARD,
            Self::Replay => REPLAY,
            Self::Hold => HOLD,
            Self::BlobOrder => BLOB_ORDER,
        }
    }

    /// The files of the source at `root` that the fault changes.
    ///
    /// # Errors
    ///
    /// If the source is no longer what the fault was written for.
    pub(super) fn edited(self, root: &Path) -> anyhow::Result<Vec<Edited>> {
        let mut files: Vec<Edited> = Vec::new();
        for Edit { path, find, replace } in self.edits() {
            let at = match files.iter().position(|file| file.path == *path) {
                Some(at) => at,
                None => {
                    let text = std::fs::read_to_string(root.join(path))
                        .with_context(|| format!("cannot read {path}"))?;
                    files.push(Edited { path, text });
                    files.len() - 1
                }
            };
            let count = files[at].text.matches(find).count();
            ensure!(
                count == 1,
                "the fault {} no longer fits {path}, which has this {count} times and not once:\n{find}\
                 mend xtask/src/chaos/plant.rs",
                self.name()
            );
            files[at].text = files[at].text.replace(find, replace);
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn every_fault_fits_the_present_source() {
        let root = workspace::root().unwrap();
        for plant in Plant::value_variants() {
            let edited = plant.edited(&root).unwrap();
            assert!(!edited.is_empty(), "{plant:?} changes nothing");
            for Edited { path, text } in edited {
                let present = std::fs::read_to_string(root.join(path)).unwrap();
                assert_ne!(present, text, "{plant:?} leaves {path} as it is");
            }
        }
    }

    #[test]
    fn a_fault_that_does_not_fit_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(COMMIT);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "fn commit() {}").unwrap();

        let error = Plant::Hold.edited(folder.path()).unwrap_err().to_string();

        assert!(error.contains("the fault hold no longer fits crates/store/src/decide"), "{error}");
    }

    #[test]
    fn the_names_are_those_of_the_command_line() {
        for plant in Plant::value_variants() {
            let said = plant.to_possible_value().unwrap();
            assert_eq!(said.get_name(), plant.name());
        }
    }
}
