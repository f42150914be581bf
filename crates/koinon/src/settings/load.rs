//! Putting the sources together.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

use figment::value::{Dict, Empty, Value};
use figment::{Figment, Provider as _};

use super::layer::{Layer, Leaf, Place, leaves};
use super::{Error, Flags, Loaded, Settings, check, key, nearest, origin, secret};

/// The file that is read where no other is named.
const FILE: &str = "koinon.toml";

/// The provider that `--base-url` belongs to where none is named.
const PROVIDER: &str = "openai";

impl Settings {
    /// The settings of this process: defaults, then the file, then the environment, then `flags`.
    ///
    /// # Errors
    ///
    /// [`Error`] says which key of which source to mend.
    pub fn load(flags: &Flags) -> Result<Loaded, Error> {
        Surroundings { folder: PathBuf::new(), variables: std::env::vars_os().collect() }
            .load(flags)
    }
}

/// What a process finds around it.
pub(super) struct Surroundings {
    /// The working directory; empty for that of the process.
    pub(super) folder: PathBuf,
    pub(super) variables: Vec<(OsString, OsString)>,
}

impl Surroundings {
    pub(super) fn load(&self, flags: &Flags) -> Result<Loaded, Error> {
        let mut figment = Figment::new();
        for layer in self.layers(flags)? {
            for leaf in layer.leaves() {
                check_key(&layer, &leaf)?;
            }
            figment = figment.merge(layer);
        }
        let (settings, set_by) = read(&figment)?;
        let set_by = |key: &str| {
            let below = format!("{key}.");
            let found = set_by.iter().find(|(set, _)| *set == key || set.starts_with(&below));
            found.map(|(_, name)| name.clone())
        };
        check::check(&settings, |key| set_by(key).unwrap_or_else(|| origin::DEFAULT.to_owned()))?;
        let origins = origin::of(&settings, set_by);
        Ok(Loaded { settings, origins })
    }

    /// The sources, the lightest first.
    fn layers(&self, flags: &Flags) -> Result<Vec<Layer>, Error> {
        let mut layers: Vec<_> = self.file(flags)?.into_iter().collect();
        for (name, value) in &self.variables {
            layers.extend(Layer::variable(&name.to_string_lossy(), value.to_str()));
        }
        let provider = flags.provider.as_deref().unwrap_or(PROVIDER);
        let flags: [(&str, &[&str], _); 3] = [
            ("--database", &["database", "url"], &flags.database),
            ("--artifacts", &["artifacts", "url"], &flags.artifacts),
            ("--base-url", &["providers", provider, "base_url"], &flags.base_url),
        ];
        for (name, path, text) in flags {
            layers.extend(text.as_ref().map(|text| Layer::flag(name, path, text)));
        }
        Ok(layers)
    }

    fn file(&self, flags: &Flags) -> Result<Option<Layer>, Error> {
        let path = flags.config.clone().unwrap_or_else(|| PathBuf::from(FILE));
        let name = path.display().to_string();
        match fs::read_to_string(self.folder.join(&path)) {
            Ok(text) => Layer::file(name, &text).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound && flags.config.is_none() => {
                Ok(None)
            }
            Err(source) => Err(Error::Unreadable { path: name, source }),
        }
    }
}

/// Refuses keys that do not exist, and secrets where they must not stand.
fn check_key(layer: &Layer, leaf: &Leaf) -> Result<(), Error> {
    let (name, set_by) = (leaf.path.join("."), layer.name.clone());
    if leaf.path.last().is_some_and(|last| last == "api_key") {
        return Err(Error::ClearKey { key: name, set_by });
    }
    let is_empty = matches!(&leaf.value, Value::Dict(_, below) if below.is_empty());
    if is_empty && key::is_section(&leaf.path) {
        return Ok(());
    }
    if key::find(&leaf.path).is_none() {
        let nearest = nearest::nearest(&leaf.path);
        return Err(Error::UnknownKey { key: name, set_by, nearest });
    }
    if layer.origin == Place::File && leaf.value.as_str().is_some_and(secret::holds_secret) {
        let variable = format!("KOINON_{}", leaf.path.join("__").to_uppercase());
        return Err(Error::ClearPassword { key: name, set_by, variable });
    }
    Ok(())
}

/// The settings, and who set which key.
fn read(figment: &Figment) -> Result<(Settings, BTreeMap<String, String>), Error> {
    let values = figment.data().map_err(|error| Error::Sources(Box::new(error)))?;
    let values: Dict = values.into_values().flatten().collect();
    let mut settings = Settings::default();
    let mut set_by = BTreeMap::new();
    for Leaf { path, value } in leaves(&values) {
        let Some((key, name)) = key::find(&path) else { continue };
        let source = figment.get_metadata(value.tag()).map(|data| data.name.to_string());
        let source = source.unwrap_or_else(|| origin::DEFAULT.to_owned());
        let field = key.field(&mut settings, name);
        let (allowed, is_secret) = (field.allowed(), field.may_hold_secret());
        let taken = field.set(&value).is_some() && key.field(&mut settings, name).holds();
        let path = path.join(".");
        if !taken {
            let value = if is_secret { secret::MASK.to_owned() } else { shown(&value) };
            return Err(Error::OutOfRange { key: path, value, set_by: source, allowed });
        }
        set_by.insert(path, source);
    }
    Ok((settings, set_by))
}

/// A value as people wrote it, more or less.
fn shown(value: &Value) -> String {
    match value {
        Value::String(_, text) => {
            format!("{:?}", secret::mask(text).chars().take(80).collect::<String>())
        }
        Value::Char(_, letter) => format!("{letter:?}"),
        Value::Bool(_, on) => on.to_string(),
        Value::Num(_, number) => match (number.to_i128(), number.to_u128(), number.to_f64()) {
            (Some(number), _, _) => number.to_string(),
            (_, Some(number), _) => number.to_string(),
            (_, _, number) => number.map_or_else(String::new, |number| number.to_string()),
        },
        Value::Empty(_, Empty::Unit) => "an instant".to_owned(),
        Value::Empty(_, Empty::None) => "bytes that are no text".to_owned(),
        Value::Dict(..) => "a table".to_owned(),
        Value::Array(..) => "a list".to_owned(),
    }
}
