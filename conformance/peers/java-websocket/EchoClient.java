import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.java_websocket.client.WebSocketClient;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.extensions.permessage_deflate.PerMessageDeflateExtension;
import org.java_websocket.framing.CloseFrame;
import org.java_websocket.handshake.ServerHandshake;
import org.java_websocket.protocols.IProtocol;
import org.java_websocket.protocols.Protocol;

/** An echo client: it sends back every message of the server, and exits with status 0 after a clean close. The query names sub-protocols. */
public final class EchoClient extends WebSocketClient {
  private static final String PROTOCOLS = "protocols=";
  private static final int LAST_MS = 5_000;
  private volatile boolean failed;

  private EchoClient(URI address) {
    super(address, new Draft_6455(List.of(new PerMessageDeflateExtension()), protocols(address.getQuery()), 16 << 20));
    setConnectionLostTimeout(0);
  }

  private static List<IProtocol> protocols(String query) {
    List<IProtocol> found = new ArrayList<>();
    if (query != null)
      for (String part : query.split("&"))
        if (part.startsWith(PROTOCOLS)) for (String name : part.substring(PROTOCOLS.length()).split(",")) found.add(new Protocol(name));
    return found.isEmpty() ? List.of(new Protocol("")) : found;
  }

  @Override
  public void onOpen(ServerHandshake handshake) {}

  @Override
  public void onMessage(String message) {
    send(message);
  }

  @Override
  public void onMessage(ByteBuffer message) {
    send(message);
  }

  @Override
  public void onClose(int code, String reason, boolean remote) {
    failed |= code < 0 || code == CloseFrame.ABNORMAL_CLOSE;
  }

  @Override
  public void onError(Exception error) {
    failed = true;
    System.err.println(error);
  }

  public static void main(String[] arguments) throws InterruptedException {
    EchoClient client = new EchoClient(URI.create(arguments[0]));
    client.run();
    // The last frames may still be in the queue of the library's own thread.
    for (Thread thread : Thread.getAllStackTraces().keySet())
      if (thread.getName().startsWith("WebSocketWriteThread")) thread.join(LAST_MS);
    System.exit(client.failed ? 1 : 0);
  }
}
