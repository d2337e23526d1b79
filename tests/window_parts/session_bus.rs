//! Private session bus, as desktops have one: for the accessibility tree, and for preferences of a desktop.

use super::desktop::{Desktop, found, within};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use zbus::blocking::{Connection, Proxy, connection::Builder};
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

/// A bus; ends when dropped, and with it all that it started.
pub struct SessionBus {
    daemon: Child,
    /// The value for DBUS_SESSION_BUS_ADDRESS.
    pub address: String,
}

impl SessionBus {
    /// The reason if a tool is missing.
    pub fn open(desktop: &Desktop) -> Result<Self, String> {
        found("dbus-daemon")?;
        let mut daemon = desktop
            .command("dbus-daemon")
            .args(["--session", "--nofork", "--nosyslog", "--print-address=1"])
            .arg(format!("--address=unix:dir={}", desktop.home.display()))
            .env("XDG_RUNTIME_DIR", &desktop.home)
            .env_remove("AT_SPI_BUS_ADDRESS")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("dbus-daemon: {error}"))?;
        let mut address = String::new();
        if let Some(stdout) = daemon.stdout.take() {
            let _ = BufReader::new(stdout).read_line(&mut address);
        }
        let bus = Self { daemon, address: address.trim().to_owned() };
        if bus.address.is_empty() { Err("dbus-daemon did not start".into()) } else { Ok(bus) }
    }

    /// Sets the variable by which a program finds it.
    pub fn give_to(&self, command: &mut Command) {
        command.env("DBUS_SESSION_BUS_ADDRESS", &self.address).env_remove("AT_SPI_BUS_ADDRESS");
    }

    pub fn connect(&self) -> Connection {
        Builder::address(self.address.as_str()).and_then(Builder::build).expect("the bus listens")
    }
}

impl Drop for SessionBus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// A screen reader: reads the tree of the only program, and acts on it.
pub struct Reader {
    a11y: Connection,
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    bus: String,
    path: OwnedObjectPath,
    /// Its name.
    pub name: String,
}

impl Reader {
    /// Begins to read. The reason if this machine has no accessibility bus.
    pub fn begin(bus: &SessionBus) -> Result<Self, String> {
        let session = bus.connect();
        let proxy = |interface: &'static str| {
            Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", interface).map_err(|why| why.to_string())
        };
        let missing = |why: zbus::Error| format!("no accessibility bus (at-spi2-core): {why}");
        let address: String = proxy("org.a11y.Bus")?.call("GetAddress", &()).map_err(missing)?;
        let a11y = Builder::address(address.as_str()).and_then(Builder::build).map_err(missing)?;
        let is_on = Value::from(true);
        proxy("org.a11y.Status")?.set_property("ScreenReaderEnabled", is_on).map_err(|why| why.to_string())?;
        Ok(Self { a11y })
    }

    fn proxy(&self, node: &Node, interface: &'static str) -> Proxy<'static> {
        let Node { bus, path, .. } = node.clone();
        let builder =
            zbus::blocking::proxy::Builder::new(&self.a11y).cache_properties(zbus::proxy::CacheProperties::No);
        let builder = builder.destination(bus).and_then(|builder| builder.path(path));
        builder.and_then(|builder| builder.interface(interface)).and_then(|builder| builder.build()).expect("a node")
    }

    fn children(&self, node: &Node) -> Vec<Node> {
        let children: zbus::Result<Vec<(String, OwnedObjectPath)>> =
            self.proxy(node, "org.a11y.atspi.Accessible").call("GetChildren", &());
        let named = |(bus, path)| {
            let mut node = Node { bus, path, name: String::new() };
            node.name = self.proxy(&node, "org.a11y.atspi.Accessible").get_property("Name").unwrap_or_default();
            node
        };
        children.unwrap_or_default().into_iter().map(named).collect()
    }

    /// All nodes of the program, with their depth.
    pub fn tree(&self) -> Vec<(usize, Node)> {
        let [bus, path] = ["org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"];
        let path = OwnedObjectPath::try_from(path).expect("a path");
        let root = Node { bus: bus.into(), path, name: String::new() };
        let (mut all, mut todo) = (Vec::new(), vec![(0, root)]);
        while let Some((depth, node)) = todo.pop() {
            todo.extend(self.children(&node).into_iter().rev().map(|child| (depth + 1, child)));
            all.push((depth, node));
        }
        all
    }

    /// Waits for a node of this name.
    pub fn find(&self, name: &str) -> Option<Node> {
        within(|| self.tree().into_iter().find(|(_, node)| node.name == name).map(|(_, node)| node))
    }

    /// Waits for a slider of this name.
    pub fn slider(&self, name: &str) -> Option<Node> {
        let is_one = |(_, node): &(usize, Node)| node.name == name && self.value(node).is_some();
        within(|| self.tree().into_iter().find(is_one).map(|(_, node)| node))
    }

    /// All that text fields contain.
    pub fn texts(&self) -> Vec<String> {
        let text = |(_, node): &(usize, Node)| {
            self.proxy(node, "org.a11y.atspi.Text").call::<_, _, String>("GetText", &(0_i32, -1_i32)).ok()
        };
        self.tree().iter().filter_map(text).collect()
    }

    /// The number of a slider.
    pub fn value(&self, node: &Node) -> Option<f64> {
        self.proxy(node, "org.a11y.atspi.Value").get_property("CurrentValue").ok()
    }

    /// Gives a slider this number.
    pub fn set_value(&self, node: &Node, to: f64) -> zbus::fdo::Result<()> {
        self.proxy(node, "org.a11y.atspi.Value").set_property("CurrentValue", Value::from(to))
    }

    /// Clicks.
    pub fn click(&self, node: &Node) -> bool {
        self.proxy(node, "org.a11y.atspi.Action").call("DoAction", &0_i32).unwrap_or(false)
    }

    /// Whether it has the accessible focus.
    pub fn is_focused(&self, node: &Node) -> bool {
        let states: Vec<u32> = self.proxy(node, "org.a11y.atspi.Accessible").call("GetState", &()).unwrap_or_default();
        // ATSPI_STATE_FOCUSED is bit 12.
        states.first().is_some_and(|low| low >> 12 & 1 == 1)
    }
}

/// The portal of a desktop that tells its settings.
pub struct Portal {
    connection: Connection,
    settings: Settings,
}

type Settings = Arc<Mutex<HashMap<(String, String), OwnedValue>>>;

struct Served(Settings);

#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Served {
    fn read(&self, namespace: String, key: String) -> zbus::fdo::Result<OwnedValue> {
        let settings = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let value = settings.get(&(namespace, key)).ok_or_else(|| zbus::fdo::Error::Failed("unknown".into()))?;
        // It wraps a value twice.
        let value = Value::Value(Box::new(value.clone().into()));
        value.try_into().map_err(|_| zbus::fdo::Error::Failed("a value".into()))
    }
}

impl Portal {
    const PATH: &str = "/org/freedesktop/portal/desktop";

    /// Serves these settings.
    pub fn open(bus: &SessionBus, settings: &[(&str, &str, Value<'static>)]) -> Self {
        let owned = |(namespace, key, value): &(&str, &str, Value<'static>)| {
            let value = value.try_to_owned().expect("a value without a file");
            (((*namespace).to_owned(), (*key).to_owned()), value)
        };
        let settings: Settings = Arc::new(Mutex::new(settings.iter().map(owned).collect()));
        let connection = bus.connect();
        let served = connection.object_server().at(Self::PATH, Served(settings.clone()));
        assert!(served.expect("a path"), "nothing else is there");
        connection.request_name("org.freedesktop.portal.Desktop").expect("nobody has the name");
        Self { connection, settings }
    }

    /// Changes a setting.
    pub fn set(&self, namespace: &str, key: &str, value: Value<'static>) {
        let owned = value.try_to_owned().expect("a value without a file");
        let mut settings = self.settings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        settings.insert((namespace.to_owned(), key.to_owned()), owned);
        drop(settings);
        let body = (namespace, key, value);
        let interface = "org.freedesktop.portal.Settings";
        let sent = self.connection.emit_signal(None::<&str>, Self::PATH, interface, "SettingChanged", &body);
        sent.expect("the bus is there");
    }
}
