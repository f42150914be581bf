//! Text that Postgres does not keep.

use std::collections::BTreeMap;

use koinon_domain::{Authority, Digest, Progress, ProjectId, State};
use koinon_kit::{Case, Held, commit, job, stage};
use koinon_store::{Artifact, End, Manifest, Scope};

use crate::harness::OnPostgres;

#[tokio::test]
async fn a_text_with_nul_loses_it_and_the_state_moves_on() {
    let case = Case::open(OnPostgres).await;
    let mut submission = job().build(&*case.clock);
    let (tenant, id) = (submission.job.tenant.clone(), submission.job.id);
    submission.job.authority = Some(Authority {
        principal: "a\0b".into(),
        credential: Some("\0".into()),
        tenant: tenant.clone(),
        project: ProjectId::try_new("docs").unwrap(),
        scope: vec!["jobs:\0read".into()],
        model_revisions: BTreeMap::from([("\0a".into(), "b\0".into())]),
    });
    case.stores.jobs.submit(vec![submission]).await.unwrap();
    let owner = case.worker();
    let claimed = case.claim_scope(owner, Scope::Job(id), 1).await;
    let held = Held::new(id, tenant.clone(), owner, claimed[0].generation);
    let mut started = commit(&held).start().build();
    let unit = "files\0".to_owned();
    started.progress = Some(Progress { stage: stage("generate"), done: 1, total: 2, unit });
    case.applied(started).await;
    let artifact = Artifact {
        name: "rows\0.jsonl".into(),
        media_type: "\0text/plain".into(),
        size_bytes: 1,
        digest: Digest::of(b"a"),
    };
    let manifest = Manifest { artifacts: vec![artifact], summary: b"\0{}".to_vec() };
    case.applied(commit(&held).end(End::Succeeded(manifest))).await;

    let status = case.stores.jobs.job(&tenant, id).await.unwrap().unwrap();
    assert_eq!(status.run.state, State::Succeeded);
    let authority = status.spec.authority.unwrap();
    assert_eq!((authority.principal.as_str(), authority.scope), ("ab", vec!["jobs:read".into()]));
    assert_eq!(status.run.progress.unwrap().unit, "files");
    let manifest = status.run.manifest.unwrap();
    assert_eq!(
        (manifest.artifacts[0].name.as_str(), &manifest.summary[..]),
        ("rows.jsonl", &b"\0{}"[..])
    );
}
