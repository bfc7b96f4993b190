package interop;

import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.LocalObject;
import org.omg.IOP.ServiceContext;
import org.omg.PortableInterceptor.ClientRequestInfo;
import org.omg.PortableInterceptor.ClientRequestInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

/** Service contexts both ways, in the words of contexts.cc. */
public final class Contexts extends LocalObject implements ORBInitializer {
  private static final int ID = 0x43420077;

  private static ServiceContext context(String text) {
    return new ServiceContext(ID, text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  private static String text(ServiceContext context) {
    return new String(context.context_data, java.nio.charset.StandardCharsets.US_ASCII);
  }

  @Override
  public void pre_init(ORBInitInfo info) {
    try {
      info.add_client_request_interceptor(new Client());
      info.add_server_request_interceptor(new Server());
    } catch (org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void post_init(ORBInitInfo info) {}

  private static final class Client extends LocalObject implements ClientRequestInterceptor {
    @Override
    public String name() {
      return "client";
    }

    @Override
    public void destroy() {}

    @Override
    public void send_request(ClientRequestInfo info) {
      info.add_request_service_context(context("jacorb asks " + info.operation()), false);
    }

    @Override
    public void send_poll(ClientRequestInfo info) {}

    @Override
    public void receive_reply(ClientRequestInfo info) {
      System.out.println(text(info.get_reply_service_context(ID)));
    }

    @Override
    public void receive_exception(ClientRequestInfo info) {}

    @Override
    public void receive_other(ClientRequestInfo info) {}
  }

  private static final class Server extends LocalObject implements ServerRequestInterceptor {
    @Override
    public String name() {
      return "server";
    }

    @Override
    public void destroy() {}

    @Override
    public void receive_request_service_contexts(ServerRequestInfo info) {
      String asked;
      try {
        asked = text(info.get_request_service_context(ID));
      } catch (BAD_PARAM e) {
        asked = "nothing";
      }
      info.add_reply_service_context(context("jacorb was told: " + asked), false);
    }

    @Override
    public void receive_request(ServerRequestInfo info) {}

    @Override
    public void send_reply(ServerRequestInfo info) {}

    @Override
    public void send_exception(ServerRequestInfo info) {}

    @Override
    public void send_other(ServerRequestInfo info) {}
  }
}
