package interop;

import com.sun.corba.ee.spi.ior.IOR;
import com.sun.corba.ee.spi.ior.TaggedComponent;
import com.sun.corba.ee.spi.transport.Acceptor;
import com.sun.corba.ee.spi.transport.IORToSocketInfo;
import com.sun.corba.ee.spi.transport.ORBSocketFactory;
import com.sun.corba.ee.spi.transport.SocketInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.omg.CORBA.Any;
import org.omg.CORBA.LocalObject;
import org.omg.IOP.Codec;
import org.omg.IOP.CodecFactoryHelper;
import org.omg.IOP.ENCODING_CDR_ENCAPS;
import org.omg.IOP.Encoding;
import org.omg.IOP.MultipleComponentProfileHelper;
import org.omg.IOP.TAG_MULTIPLE_COMPONENTS;
import org.omg.PortableInterceptor.IORInfo;
import org.omg.PortableInterceptor.IORInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;

/**
 * What an application server gives GlassFish's ORB, as little of it as a peer needs: sockets of TLS with certificates at both
 * ends, references that say where they listen, and the way to those that others' references name.
 */
public final class Tls {
  private static final int TAG_SSL_SEC_TRANS = 20;
  /** Integrity, confidentiality, both kinds of detection, and trust in either end. */
  private static final short SUPPORTED = 0x7e;
  /** Integrity, confidentiality, and trust in the client. */
  private static final short REQUIRED = 0x46;
  private static volatile int port;

  private Tls() {}

  /** The ORB of these properties speaks TLS alone; the store holds key, certificate and authority. */
  static void use(Properties properties, String store) {
    for (String kind : new String[] {"key", "trust"}) {
      System.setProperty("javax.net.ssl." + kind + "Store", store);
      System.setProperty("javax.net.ssl." + kind + "StorePassword", "changeit");
    }
    String prefix = "com.sun.corba.ee.transport.ORB";
    properties.setProperty(prefix + "SocketFactoryClass", Sockets.class.getName());
    properties.setProperty(prefix + "IORToSocketInfoClass", Addresses.class.getName());
    properties.setProperty(prefix + "AcceptorSocketType", "Socket");
    properties.setProperty(prefix + "ConnectionSocketType", "Socket");
    properties.setProperty("org.omg.PortableInterceptor.ORBInitializerClass." + Initializer.class.getName(), "");
  }

  public static final class Sockets implements ORBSocketFactory {
    @Override
    public void setORB(com.sun.corba.ee.spi.orb.ORB orb) {}

    @Override
    public ServerSocket createServerSocket(String type, InetSocketAddress at) throws IOException {
      SSLServerSocket made = (SSLServerSocket) context().getServerSocketFactory().createServerSocket();
      made.setNeedClientAuth(true);
      made.bind(at);
      port = made.getLocalPort();
      return made;
    }

    @Override
    public Socket createSocket(String type, InetSocketAddress to) throws IOException {
      if (!type.equals("SSL")) throw new IOException("no plain connection is made");
      Socket made = context().getSocketFactory().createSocket(to.getAddress(), to.getPort());
      made.setTcpNoDelay(true);
      return made;
    }

    @Override
    public void setAcceptedSocketOptions(Acceptor by, ServerSocket at, Socket accepted) throws SocketException {
      accepted.setTcpNoDelay(true);
    }

    private static SSLContext context() throws IOException {
      try {
        return SSLContext.getDefault();
      } catch (java.security.NoSuchAlgorithmException e) {
        throw new IOException(e);
      }
    }
  }

  public static final class Addresses implements IORToSocketInfo {
    @Override
    public List<? extends SocketInfo> getSocketInfo(IOR ior, List<? extends SocketInfo> known) {
      if (!known.isEmpty()) return known;
      var template = (com.sun.corba.ee.spi.ior.iiop.IIOPProfileTemplate) ior.getProfile().getTaggedProfileTemplate();
      String host = template.getPrimaryAddress().getHost();
      Iterator<TaggedComponent> components = template.iteratorById(TAG_SSL_SEC_TRANS);
      byte[] found = components.hasNext() ? components.next().getIOPComponent(ior.getORB()).component_data : ofAllProfiles(ior);
      if (found == null) return List.of(new Address("IIOP_CLEAR_TEXT", host, template.getPrimaryAddress().getPort()));
      ByteBuffer data = ByteBuffer.wrap(found);
      data.order(data.get(0) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      return List.of(new Address("SSL", host, data.getShort(6) & 0xffff));
    }

    /** What a profile of its own says for one of GIOP 1.0, which has no components. */
    private static byte[] ofAllProfiles(IOR ior) {
      try {
        Codec codec = CodecFactoryHelper.narrow(ior.getORB().resolve_initial_references("CodecFactory"))
            .create_codec(new Encoding(ENCODING_CDR_ENCAPS.value, (byte) 1, (byte) 2));
        for (var profile : ior.getIOPIOR().profiles) {
          if (profile.tag != TAG_MULTIPLE_COMPONENTS.value) continue;
          Any all = codec.decode_value(profile.profile_data, MultipleComponentProfileHelper.type());
          for (var one : MultipleComponentProfileHelper.extract(all)) {
            if (one.tag == TAG_SSL_SEC_TRANS) return one.component_data;
          }
        }
        return null;
      } catch (org.omg.CORBA.UserException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private record Address(String getType, String getHost, int getPort) implements SocketInfo {}

  public static final class Initializer extends LocalObject implements ORBInitializer, IORInterceptor {
    @Override
    public void pre_init(ORBInitInfo info) {}

    @Override
    public void post_init(ORBInitInfo info) {
      try {
        info.add_ior_interceptor(this);
      } catch (DuplicateName e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void establish_components(IORInfo info) {
      ByteBuffer data = ByteBuffer.allocate(8);
      data.putShort(2, SUPPORTED).putShort(4, REQUIRED).putShort(6, (short) port);
      info.add_ior_component(new org.omg.IOP.TaggedComponent(TAG_SSL_SEC_TRANS, data.array()));
    }

    @Override
    public String name() {
      return "TLS";
    }

    @Override
    public void destroy() {}
  }
}
