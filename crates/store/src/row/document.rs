//! The JSON that stands in columns and arguments.

use std::collections::BTreeMap;
use std::time::Duration;

use koinon_budget::{Limits, NanoUsd, Profile, Usage};
use koinon_domain::{Authority, ProjectId, TenantId};
use serde::{Deserialize, Serialize};

use super::number::micros;
use crate::{Artifact, Manifest};

/// The prices of a profile, in nano-dollars for a million tokens: a list of provider, model, input, cached input,
/// output.
#[must_use]
pub fn prices(profile: &Profile) -> serde_json::Value {
    let million = 1_000_000;
    let rows: Vec<_> = profile
        .prices()
        .map(|(provider, model, price)| {
            let input = Usage { input_tokens: million, ..Usage::default() };
            let cached = Usage { cached_input_tokens: million, ..input };
            let output = Usage { output_tokens: million, ..Usage::default() };
            let [input, cached, output] =
                [input, cached, output].map(|usage| price.cost(usage).get());
            (provider, model, input, cached, output)
        })
        .collect();
    serde_json::json!(rows)
}

/// The JSON of a value that always has one: no maps with other keys than text.
#[must_use]
pub fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The artifacts of a manifest as a document.
#[must_use]
pub fn artifacts(manifest: &Manifest) -> String {
    json(&manifest.artifacts.iter().map(ArtifactDocument::from).collect::<Vec<_>>())
}

/// Limits as a document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_nano_usd: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_for_us: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u32>,
}

impl From<Limits> for LimitsDocument {
    fn from(limits: Limits) -> Self {
        Self {
            cost_nano_usd: limits.cost.map(NanoUsd::get),
            calls: limits.calls,
            input_tokens: limits.input_tokens,
            output_tokens: limits.output_tokens,
            run_for_us: limits.run_for.map(micros),
            items: limits.items,
        }
    }
}

impl From<LimitsDocument> for Limits {
    fn from(document: LimitsDocument) -> Self {
        let time = |micros: i64| Duration::from_micros(u64::try_from(micros).unwrap_or_default());
        Self {
            cost: document.cost_nano_usd.map(NanoUsd::new),
            calls: document.calls,
            input_tokens: document.input_tokens,
            output_tokens: document.output_tokens,
            run_for: document.run_for_us.map(time),
            items: document.items,
        }
    }
}

/// An authority as a document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthorityDocument {
    principal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential: Option<String>,
    tenant: String,
    project: String,
    scope: Vec<String>,
    model_revisions: BTreeMap<String, String>,
}

impl From<&Authority> for AuthorityDocument {
    fn from(authority: &Authority) -> Self {
        Self {
            principal: authority.principal.clone(),
            credential: authority.credential.clone(),
            tenant: authority.tenant.to_string(),
            project: authority.project.to_string(),
            scope: authority.scope.clone(),
            model_revisions: authority.model_revisions.clone(),
        }
    }
}

impl TryFrom<AuthorityDocument> for Authority {
    type Error = koinon_domain::InvalidName;

    fn try_from(document: AuthorityDocument) -> Result<Self, Self::Error> {
        Ok(Self {
            principal: document.principal,
            credential: document.credential,
            tenant: TenantId::try_new(document.tenant)?,
            project: ProjectId::try_new(document.project)?,
            scope: document.scope,
            model_revisions: document.model_revisions,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArtifactDocument {
    name: String,
    media_type: String,
    size_bytes: u64,
    digest: String,
}

impl From<&Artifact> for ArtifactDocument {
    fn from(artifact: &Artifact) -> Self {
        Self {
            name: artifact.name.clone(),
            media_type: artifact.media_type.clone(),
            size_bytes: artifact.size_bytes,
            digest: artifact.digest.to_string(),
        }
    }
}

impl TryFrom<ArtifactDocument> for Artifact {
    type Error = koinon_domain::InvalidDigest;

    fn try_from(document: ArtifactDocument) -> Result<Self, Self::Error> {
        Ok(Self {
            name: document.name,
            media_type: document.media_type,
            size_bytes: document.size_bytes,
            digest: document.digest.parse()?,
        })
    }
}
