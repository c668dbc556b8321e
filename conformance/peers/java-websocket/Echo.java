import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import org.java_websocket.WebSocket;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.extensions.permessage_deflate.PerMessageDeflateExtension;
import org.java_websocket.handshake.ClientHandshake;
import org.java_websocket.protocols.IProtocol;
import org.java_websocket.protocols.Protocol;
import org.java_websocket.server.WebSocketServer;

/** An echo server with the sub-protocols chat, echo and superchat. It compresses messages if the client offers compression. */
public final class Echo extends WebSocketServer {
  private static final int AGAIN_MS = 100;

  private Echo(int port) {
    super(new InetSocketAddress("127.0.0.1", port), List.of(draft()));
  }

  private static Draft_6455 draft() {
    List<IProtocol> protocols = List.of(new Protocol("chat"), new Protocol("echo"), new Protocol("superchat"), new Protocol(""));
    return new Draft_6455(List.of(new PerMessageDeflateExtension()), protocols, 16 << 20);
  }

  @Override
  public void onMessage(WebSocket socket, String message) {
    socket.send(message);
  }

  @Override
  public void onMessage(WebSocket socket, ByteBuffer message) {
    socket.send(message);
  }

  @Override
  public void onOpen(WebSocket socket, ClientHandshake handshake) {}

  @Override
  public void onClose(WebSocket socket, int code, String reason, boolean remote) {}

  @Override
  public void onError(WebSocket socket, Exception error) {}

  /**
   * Asks for a write again and again while octets wait. The library seems to forget one now and then: its selector thread drops its interest in
   * writing when the queue was empty, even if another thread has put a frame there since.
   */
  @Override
  public void onStart() {
    TimerTask again =
        new TimerTask() {
          @Override
          public void run() {
            for (WebSocket socket : getConnections()) if (socket.hasBufferedData()) onWriteDemand(socket);
          }
        };
    new Timer(true).schedule(again, AGAIN_MS, AGAIN_MS);
  }

  public static void main(String[] arguments) {
    Echo echo = new Echo(Integer.parseInt(arguments[0]));
    echo.setReuseAddr(true);
    echo.setConnectionLostTimeout(0);
    echo.run();
  }
}
