// The client of grpc-java as an adapter of the suite rpc (conformance/rpc/README.md): descriptions on standard input, reports on standard output.

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.EquivalentAddressGroup;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public final class Client {
  private static final String[] FEATURES = {
    "streams", "cancel", "deadline", "gzip", "identity-per-call", "receive-limit", "service-config", "retries", "hedging", "addresses",
    "outlier-detection", "weighted-round-robin", "health-check", "wait-for-ready", "tls", "client-certificate"
  };
  private static final Gson GSON = new Gson();
  private static final ScheduledExecutorService TIMER = Executors.newScheduledThreadPool(1);
  private static final HexFormat HEX = HexFormat.of();

  static final class CallSpec {
    String kind;
    String path;
    String encoding;
    List<String> messages;
    List<List<String>> metadata = List.of();
    Double timeoutMs;
    boolean waitForReady;
    boolean open;
    boolean turns;
    Cancel cancel;
  }

  static final class Cancel {
    Integer afterMs;
    Integer afterMessages;
  }

  static final class Channel {
    Integer maxMessageOctets;
    String encoding;
    Map<String, Object> serviceConfig;
  }

  static final class Tls {
    String ca;
    String cert;
    String key;
  }

  static final class Description {
    String id;
    boolean features;
    String target;
    List<String> targets;
    Channel channel = new Channel();
    Tls tls;
    List<List<CallSpec>> rounds;
  }

  /** Messages as they are. */
  private static final MethodDescriptor.Marshaller<byte[]> OCTETS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException error) {
            throw new UncheckedIOException(error);
          }
        }
      };

  private static boolean isBinary(String name) {
    return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  private static Metadata metadataOf(List<List<String>> fields) {
    Metadata made = new Metadata();
    for (List<String> field : fields) {
      String name = field.get(0);
      if (isBinary(name)) made.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), HEX.parseHex(field.get(1)));
      else made.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), field.get(1));
    }
    return made;
  }

  private static List<List<String>> pairs(Metadata metadata) {
    List<List<String>> found = new ArrayList<>();
    if (metadata == null) return found;
    for (String name : metadata.keys()) {
      // The library adds the status of HTTP.
      if (name.startsWith(":")) continue;
      if (isBinary(name)) for (byte[] value : metadata.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))) found.add(List.of(name, HEX.formatHex(value)));
      else for (String value : metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER))) found.add(List.of(name, value));
    }
    return found;
  }

  private static MethodDescriptor.MethodType typeOf(String kind) {
    switch (kind) {
      case "unary":
        return MethodDescriptor.MethodType.UNARY;
      case "client-stream":
        return MethodDescriptor.MethodType.CLIENT_STREAMING;
      case "server-stream":
        return MethodDescriptor.MethodType.SERVER_STREAMING;
      default:
        return MethodDescriptor.MethodType.BIDI_STREAMING;
    }
  }

  /** Makes one call, and reports on it. */
  private static CompletableFuture<Map<String, Object>> report(ManagedChannel channel, CallSpec spec, String usual) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.newBuilder(OCTETS, OCTETS).setType(typeOf(spec.kind)).setFullMethodName(spec.path.substring(1)).build();
    CallOptions options = CallOptions.DEFAULT;
    String encoding = spec.encoding != null ? spec.encoding : usual;
    if (encoding != null && !encoding.equals("identity")) options = options.withCompression(encoding);
    if (spec.waitForReady) options = options.withWaitForReady();
    if (spec.timeoutMs != null) options = options.withDeadlineAfter((long) (spec.timeoutMs * 1e6), TimeUnit.NANOSECONDS);
    ClientCall<byte[], byte[]> call = channel.newCall(method, options);
    CompletableFuture<Map<String, Object>> result = new CompletableFuture<>();
    List<String> messages = new ArrayList<>();
    Metadata[] headers = new Metadata[1];
    int[] sent = new int[1];
    boolean isUnary = spec.kind.equals("unary") || spec.kind.equals("client-stream");
    Runnable next = () -> {
      call.sendMessage(HEX.parseHex(spec.messages.get(sent[0]++)));
      if (sent[0] == spec.messages.size() && !spec.open) call.halfClose();
    };
    call.start(
        new ClientCall.Listener<byte[]>() {
          @Override
          public void onHeaders(Metadata all) {
            headers[0] = all;
          }

          @Override
          public void onMessage(byte[] message) {
            messages.add(HEX.formatHex(message));
            if (spec.cancel != null && spec.cancel.afterMessages != null && spec.cancel.afterMessages == messages.size()) call.cancel("as asked", null);
            else if (spec.turns && sent[0] < spec.messages.size()) next.run();
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            Status ended = status;
            // What the stubs of the library make of it.
            if (isUnary && status.isOk() && messages.isEmpty()) ended = Status.INTERNAL.withDescription("No value received for unary call");
            if (isUnary && messages.size() > 1) ended = Status.INTERNAL.withDescription("More than one value received for unary call");
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("status", ended.getCode().value());
            found.put("message", ended.getDescription() == null ? "" : ended.getDescription());
            found.put("headers", pairs(headers[0]));
            found.put("trailers", pairs(trailers));
            found.put("messages", isUnary && !ended.isOk() ? List.of() : messages);
            result.complete(found);
          }
        },
        metadataOf(spec.metadata));
    if (encoding != null) call.setMessageCompression(!encoding.equals("identity"));
    call.request(2);
    if (spec.cancel != null && spec.cancel.afterMs != null)
      TIMER.schedule(() -> call.cancel("as asked", null), spec.cancel.afterMs, TimeUnit.MILLISECONDS);
    if (spec.turns && !spec.messages.isEmpty()) next.run();
    else {
      for (String message : spec.messages) call.sendMessage(HEX.parseHex(message));
      if (!spec.open) call.halfClose();
    }
    return result;
  }

  /** Names of the form listed:host:port,host:port are those addresses. */
  private static final class Listed extends NameResolverProvider {
    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 5;
    }

    @Override
    public String getDefaultScheme() {
      return "listed";
    }

    @Override
    public java.util.Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
      return List.of(InetSocketAddress.class);
    }

    @Override
    public NameResolver newNameResolver(URI uri, NameResolver.Args args) {
      if (!"listed".equals(uri.getScheme())) return null;
      List<EquivalentAddressGroup> groups = new ArrayList<>();
      for (String one : uri.getPath().substring(1).split(",")) {
        int colon = one.lastIndexOf(':');
        groups.add(new EquivalentAddressGroup(new InetSocketAddress(one.substring(0, colon), Integer.parseInt(one.substring(colon + 1)))));
      }
      return new NameResolver() {
        @Override
        public String getServiceAuthority() {
          return "listed";
        }

        @Override
        public void start(Listener2 listener) {
          listener.onResult(ResolutionResult.newBuilder().setAddressesOrError(io.grpc.StatusOr.fromValue(groups)).build());
        }

        @Override
        public void shutdown() {}
      };
    }
  }

  private static Map<String, Object> answer(Description asked) throws Exception {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(asked.targets == null ? asked.target : "listed:///" + String.join(",", asked.targets));
    if (asked.tls == null) builder.usePlaintext();
    else {
      SslContextBuilder context = GrpcSslContexts.forClient().trustManager(stream(asked.tls.ca));
      if (asked.tls.cert != null) context.keyManager(stream(asked.tls.cert), stream(asked.tls.key));
      builder.sslContext(context.build());
    }
    builder.disableServiceConfigLookUp();
    if (asked.channel.maxMessageOctets != null) builder.maxInboundMessageSize(asked.channel.maxMessageOctets);
    List<Map<String, Object>> calls = new ArrayList<>();
    ManagedChannel channel;
    try {
      if (asked.channel.serviceConfig != null) {
        // The name that this version has for the policy.
        String text = GSON.toJson(asked.channel.serviceConfig).replace("\"outlier_detection\"", "\"outlier_detection_experimental\"");
        @SuppressWarnings("unchecked")
        Map<String, Object> config = GSON.fromJson(text, Map.class);
        builder.defaultServiceConfig(config).enableRetry();
      }
      channel = builder.build();
    } catch (RuntimeException error) {
      // Nothing can be called then, and that is what a user of it sees.
      for (List<CallSpec> round : asked.rounds) for (CallSpec ignored : round) calls.add(Map.of("status", 2, "message", String.valueOf(error)));
      return Map.of("calls", calls);
    }
    try {
      for (List<CallSpec> round : asked.rounds) {
        List<CompletableFuture<Map<String, Object>>> all = new ArrayList<>();
        for (CallSpec spec : round) all.add(report(channel, spec, asked.channel.encoding));
        for (CompletableFuture<Map<String, Object>> one : all) calls.add(one.get());
      }
    } finally {
      channel.shutdown();
    }
    return Map.of("calls", calls);
  }

  /** Makes one call to a server in this process: the first call of a virtual machine loads classes for longer than a case waits. */
  private static void warmUp() throws Exception {
    HandlerRegistry echo =
        new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.newBuilder(OCTETS, OCTETS).setType(MethodDescriptor.MethodType.BIDI_STREAMING).setFullMethodName(name).build();
            return ServerMethodDefinition.create(method, ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> responses) -> responses));
          }
        };
    Server server = NettyServerBuilder.forPort(0).fallbackHandlerRegistry(echo).build().start();
    try {
      String call = "{\"kind\":\"bidi\",\"path\":\"/warm.Up/Once\",\"messages\":[\"00\"],\"metadata\":[[\"x-bin\",\"00\"]]}";
      String config = "{\"methodConfig\":[{\"name\":[{}],\"waitForReady\":true}]}";
      String asked = "{\"target\":\"127.0.0.1:%d\",\"channel\":{\"serviceConfig\":%s},\"rounds\":[[%s]]}";
      answer(GSON.fromJson(String.format(asked, server.getPort(), config, call), Description.class));
    } finally {
      server.shutdownNow();
    }
  }

  private static Map<String, Object> greeting() throws Exception {
    warmUp();
    return Map.of("features", FEATURES, "language", "java");
  }

  private static InputStream stream(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
  }

  public static void main(String[] args) throws IOException {
    NameResolverRegistry.getDefaultRegistry().register(new Listed());
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonObject found;
      JsonObject read = GSON.fromJson(line, JsonObject.class);
      try {
        Description asked = GSON.fromJson(read, Description.class);
        found = GSON.toJsonTree(asked.features ? greeting() : answer(asked)).getAsJsonObject();
      } catch (Exception error) {
        found = new JsonObject();
        found.addProperty("error", String.valueOf(error));
      }
      found.add("id", read.get("id"));
      System.out.println(GSON.toJson(found));
    }
    System.exit(0);
  }
}
