//! The words that the offline provider knows.

use std::collections::HashSet;
use std::sync::LazyLock;

type Words = LazyLock<HashSet<&'static str>>;

/// What a full stop may stand behind without ending the sentence.
pub(super) static ABBREVIATIONS: Words = LazyLock::new(|| {
    set(
        "approx bzw ca cf d.h dr e.g eq fig figs i.e jan feb mr mrs ms no nr prof resp sec st viz vol \
         vs z.b",
    )
});

/// Forms of "to be", by which a sentence says what its subject is.
pub(super) static COPULAS: Words = LazyLock::new(|| set("is are was were"));

/// Other words behind which a sentence says something of its subject.
pub(super) static AUXILIARIES: Words = LazyLock::new(|| {
    set("can cannot could did do does had has have may might must never shall should will would")
});

/// Words that begin the name of a thing.
pub(super) static DETERMINERS: Words =
    LazyLock::new(|| set("a an another any each every its one our some the their two your"));

/// Words that hang a part of a sentence on to another.
pub(super) static RELATIVES: Words =
    LazyLock::new(|| set("that which who whom whose where when if because and or but"));

/// Words that point at an earlier sentence or at nothing, so that they name no subject.
pub(super) static POINTERS: Words = LazyLock::new(|| {
    set(
        "all also and as at because both but by for from he here however i if in instead it neither \
         no nobody none not nothing on or otherwise she since so such that then there therefore these \
         they this those thus to we what when while who why with without yet you",
    )
});

/// Verbs that a step of a procedure begins with.
pub(super) static IMPERATIVES: Words = LazyLock::new(|| {
    set(
        "add apply avoid back build call change check choose clean click close configure connect copy \
         create define delete disable download edit enable enter ensure export fill find give hold \
         import install keep let make mark measure move name open pass place press prefer pull push \
         put read remove rename replace restart return review run save select send set start stop \
         store switch take tell turn type update upload use verify wait wash write",
    )
});

/// Words that name nothing.
pub(super) static STOP_WORDS: Words = LazyLock::new(|| {
    set(
        "a i am an as at be by do he if in is it me my no of on or so to up us we about above after \
         again all also although always among and any are because been before being below between \
         both but can cannot could did does doing done down each either else even ever every few for \
         from further get gets had has have having hence her here hers him his how however into its \
         itself just less many may might more most much must neither never nor not off often once one \
         only onto other others otherwise our out over own per rather same shall she should since \
         some such than that the their them then there therefore these they this those though through \
         thus too under until upon use used using very via was were what when where whether which \
         while who whom whose why will with within without would yet you your",
    )
});

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split(' ').collect()
}

/// The word without the signs around it, in lower case.
pub(super) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}
