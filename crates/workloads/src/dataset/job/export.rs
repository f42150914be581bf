//! From rows to files.

use bytes::Bytes;
use koinon_domain::Digest;
use koinon_runner::{Artifact, Failure, JobContext, JobError};
use serde::{Deserialize, Serialize};

use super::check::Checked;
use super::{Summary, VERSION};
use crate::dataset::export::{self, OutputFile, RowCounts};
use crate::dataset::input::Input;
use crate::dataset::intake::Intake;
use crate::dataset::plan::Plan;
use crate::dataset::version::{self, Model};
use crate::dataset::warning::Warning;

/// What the last stage leaves behind: the files are artifacts by then.
#[derive(Debug, Serialize, Deserialize)]
struct Exported {
    files: Vec<ExportedFile>,
    rows: RowCounts,
}

#[derive(Debug, Serialize, Deserialize)]
struct ExportedFile {
    name: String,
    media_type: String,
    size_bytes: u64,
    sha256: String,
}

/// Runs the stages `version` and `export`, and attaches the files to the job.
pub(super) async fn export(
    job: &JobContext,
    input: &Input,
    intake: &Intake,
    plan: &Plan,
    checked: Checked,
    warnings: Vec<Warning>,
) -> Result<Summary, JobError> {
    let model = Model { provider: input.provider.clone(), model: input.model.clone() };
    let settings = &input.settings;
    let decided_by = (&intake.accepted, settings.identity(), &model);
    let version: String = job
        .stage("version")
        .version(VERSION)
        .once(&decided_by, async |_| Ok(version::version(&intake.accepted, settings, &model)))
        .await?;
    let dataset = export::Dataset {
        version: &version,
        settings,
        model: &model,
        sources: &intake.accepted,
        skipped: &intake.skipped,
        documents: &plan.documents,
        rows: &checked.rows,
        quarantined: &checked.quarantined,
        warnings: &warnings,
    };
    let exported: Exported = job
        .stage("export")
        .version(VERSION)
        .once(&(&version, &checked.rows, &checked.quarantined), async |_| {
            let files =
                export::export(&dataset).map_err(|error| Failure::permanent(error.to_string()))?;
            let mut stored = Vec::with_capacity(files.len());
            for file in files {
                stored.push(store(job, file).await?);
            }
            Ok(Exported { files: stored, rows: dataset.counts() })
        })
        .await?;
    for file in exported.files {
        let digest =
            file.sha256.parse::<Digest>().map_err(|error| Failure::permanent(error.to_string()))?;
        let ExportedFile { name, media_type, size_bytes, .. } = file;
        job.attach(Artifact { name, media_type, size_bytes, digest });
    }
    let warnings = warnings.iter().map(Warning::line).collect();
    Ok(Summary { rows: exported.rows, warnings, version })
}

async fn store(job: &JobContext, file: OutputFile) -> Result<ExportedFile, JobError> {
    let size_bytes = file.bytes.len() as u64;
    let digest = job.put(Bytes::from(file.bytes)).await?;
    Ok(ExportedFile {
        name: file.name,
        media_type: file.media_type.to_owned(),
        size_bytes,
        sha256: digest.to_string(),
    })
}
