//! A TCP connection with TLS over it, or without.

use std::io::{self, Read, Write};
use std::net::TcpStream;

#[cfg(feature = "tls")]
use std::sync::Arc;

/// How a server speaks.
#[derive(Clone)]
pub(crate) enum Tls {
    Off,
    #[cfg(feature = "tls")]
    On {
        config: Arc<rustls::ServerConfig>,
        certificate_pem: Arc<str>,
    },
}

/// One connection.
pub(crate) enum Wire {
    Plain(TcpStream),
    #[cfg(feature = "tls")]
    Tls(Box<rustls::StreamOwned<rustls::ServerConnection, TcpStream>>),
}

impl Tls {
    /// With a certificate of its own for 127.0.0.1 and localhost.
    #[cfg(feature = "tls")]
    pub(crate) fn new() -> Tls {
        let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
        let certified = rcgen::generate_simple_self_signed(names).expect("the names are valid");
        let key =
            rustls::pki_types::PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has the default versions")
            .with_no_client_auth()
            .with_single_cert(vec![certified.cert.der().clone()], key.into())
            .expect("the key is the certificate's");
        Tls::On {
            config: Arc::new(config),
            certificate_pem: certified.cert.pem().into(),
        }
    }

    pub(crate) fn scheme(&self) -> &'static str {
        match self {
            Tls::Off => "http",
            #[cfg(feature = "tls")]
            Tls::On { .. } => "https",
        }
    }

    /// The certificate that a client must trust.
    pub(crate) fn certificate_pem(&self) -> Option<&str> {
        match self {
            Tls::Off => None,
            #[cfg(feature = "tls")]
            Tls::On {
                certificate_pem, ..
            } => Some(certificate_pem),
        }
    }

    /// The handshake happens at the first read.
    pub(crate) fn accept(&self, stream: TcpStream) -> io::Result<Wire> {
        match self {
            Tls::Off => Ok(Wire::Plain(stream)),
            #[cfg(feature = "tls")]
            Tls::On { config, .. } => {
                let connection = rustls::ServerConnection::new(Arc::clone(config));
                let connection = connection.map_err(io::Error::other)?;
                let stream = rustls::StreamOwned::new(connection, stream);
                Ok(Wire::Tls(Box::new(stream)))
            }
        }
    }
}

impl Wire {
    /// Says that nothing follows, where TLS has a word for that.
    pub(crate) fn close_notify(&mut self) -> io::Result<()> {
        match self {
            Wire::Plain(_) => Ok(()),
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => {
                stream.conn.send_close_notify();
                stream.flush()
            }
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(stream) => stream.read(buffer),
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(stream) => stream.write(bytes),
            // Each step of a script is on its way when it returns.
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => {
                let len = stream.write(bytes)?;
                stream.flush()?;
                Ok(len)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Wire::Plain(stream) => stream.flush(),
            #[cfg(feature = "tls")]
            Wire::Tls(stream) => stream.flush(),
        }
    }
}
