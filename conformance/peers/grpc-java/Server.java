// The conformance service (vectors/rpc/conformance.proto) on grpc-java. Argument: the port.

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ChannelzService;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public final class Server {
  private static final String SERVICE = "touchstone.conformance.v1.Conformance";
  private static final int RUNNING = 1;
  private static final int ENDED = 2;
  private static final int CANCELLED = 3;

  /** The fields of a message by number: a Long, or a ByteString, in their order. */
  static final class Message {
    final Map<Integer, List<Object>> fields = new TreeMap<>();

    static Message read(byte[] octets) throws IOException {
      Message made = new Message();
      CodedInputStream in = CodedInputStream.newInstance(octets);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        Object value;
        switch (tag & 7) {
          case 0:
            value = in.readRawVarint64();
            break;
          case 2:
            value = in.readBytes();
            break;
          default:
            in.skipField(tag);
            continue;
        }
        made.add(tag >>> 3, value);
      }
      return made;
    }

    byte[] write() {
      try {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(octets);
        for (Map.Entry<Integer, List<Object>> field : fields.entrySet())
          for (Object value : field.getValue()) {
            if (value instanceof Long) out.writeUInt64(field.getKey(), (Long) value);
            else out.writeBytes(field.getKey(), (ByteString) value);
          }
        out.flush();
        return octets.toByteArray();
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    Message add(int number, Object value) {
      fields.computeIfAbsent(number, any -> new ArrayList<>()).add(value);
      return this;
    }

    List<Object> all(int number) {
      return fields.getOrDefault(number, List.of());
    }

    long number(int number) {
      return all(number).stream().filter(Long.class::isInstance).mapToLong(one -> (Long) one).reduce(0, (before, last) -> last);
    }

    ByteString octets(int number) {
      return all(number).stream().filter(ByteString.class::isInstance).map(one -> (ByteString) one).reduce(ByteString.EMPTY, (before, last) -> last);
    }

    String text(int number) {
      return octets(number).toStringUtf8();
    }

    List<Message> messages(int number) throws IOException {
      List<Message> made = new ArrayList<>();
      for (Object one : all(number)) if (one instanceof ByteString) made.add(read(((ByteString) one).toByteArray()));
      return made;
    }
  }

  /** As the marshaller of the library for generated messages. */
  private static final MethodDescriptor.Marshaller<Message> MESSAGES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(Message value) {
          return new ByteArrayInputStream(value.write());
        }

        @Override
        public Message parse(InputStream stream) {
          try {
            Message made = Message.read(stream.readAllBytes());
            for (Message plan : made.messages(2)) {
              plan.messages(2);
              plan.messages(3);
            }
            return made;
          } catch (IOException error) {
            throw Status.INTERNAL.withDescription("Invalid protobuf byte sequence").withCause(error).asRuntimeException();
          }
        }
      };

  static final class Fate {
    volatile int state = RUNNING;
    volatile int requests;
  }

  private static final Map<String, Fate> FATES = new ConcurrentHashMap<>();
  private static final Context.Key<Course> COURSE = Context.key("course");

  private static boolean isBinary(String name) {
    return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  private static void add(Metadata to, List<Message> fields) {
    for (Message one : fields) {
      String name = one.text(1);
      if (isBinary(name)) to.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), one.octets(3).toByteArray());
      else to.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), one.text(2));
    }
  }

  /** What one call does. It adds its metadata to what the library sends. */
  static final class Course extends SimpleForwardingServerCall<Message, Message> {
    final Metadata received;
    final Fate fate = new Fate();
    Message plan = new Message();
    private boolean hasHeaders;
    private boolean hasSeen;

    Course(ServerCall<Message, Message> call, Metadata received) {
      super(call);
      this.received = received;
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (hasHeaders) return;
      hasHeaders = true;
      try {
        add(headers, plan.messages(2));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
      super.sendHeaders(headers);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      try {
        add(trailers, plan.messages(3));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
      super.close(status, trailers);
    }

    void take(Message request, StreamObserver<Message> out) {
      if (++fate.requests > 1 || request.all(2).isEmpty()) return;
      try {
        plan = request.messages(2).get(0);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
      Context context = Context.current();
      CountDownLatch gone = new CountDownLatch(1);
      context.addListener(
          ended -> {
            if (fate.state == RUNNING) fate.state = CANCELLED;
            gone.countDown();
          },
          Runnable::run);
      if (!plan.text(1).isEmpty()) FATES.put(plan.text(1), fate);
      if (plan.number(6) == 1) ((ServerCallStreamObserver<Message>) out).setCompression("gzip");
      if (plan.number(4) != 0 || !plan.all(2).isEmpty()) sendHeaders(new Metadata());
      try {
        if (plan.number(5) > 0) gone.await(plan.number(5), TimeUnit.MILLISECONDS);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
      }
    }

    boolean isEarly() {
      return plan.number(9) != 0;
    }

    Message response(ByteString payload, long number) {
      int zeros = (int) plan.number(8);
      Message made = new Message().add(1, zeros > 0 ? ByteString.copyFrom(new byte[zeros]) : payload).add(2, number);
      if (!hasSeen) made.add(3, ByteString.copyFrom(seen().write()));
      hasSeen = true;
      return made;
    }

    private Message seen() {
      Message made = new Message();
      for (String name : received.keys()) {
        if (name.startsWith("grpc-") || List.of("te", "content-type", "user-agent").contains(name)) continue;
        ByteString key = ByteString.copyFromUtf8(name);
        if (isBinary(name))
          for (byte[] value : received.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER)))
            made.add(1, ByteString.copyFrom(new Message().add(1, key).add(3, ByteString.copyFrom(value)).write()));
        else
          for (String value : received.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER))) {
            byte[] octets = value.getBytes(StandardCharsets.ISO_8859_1);
            if (isText(octets)) made.add(1, ByteString.copyFrom(new Message().add(1, key).add(2, ByteString.copyFrom(octets)).write()));
          }
      }
      Deadline deadline = Context.current().getDeadline();
      if (deadline != null) made.add(2, 1L).add(3, Math.max(0, deadline.timeRemaining(TimeUnit.MILLISECONDS)));
      return made;
    }

    /** Ends the call as the plan says, after these responses. */
    void finish(StreamObserver<Message> out, Message single) {
      boolean isGone = Context.current().isCancelled();
      if (!isGone) fate.state = ENDED;
      if (plan.number(13) != 0) throw new IllegalStateException("a failure without a status");
      if (isGone) return;
      int code = (int) plan.number(10);
      if (code != 0) out.onError(Status.fromCodeValue(code).withDescription(plan.text(11).isEmpty() ? null : plan.text(11)).asRuntimeException());
      else {
        if (single != null) out.onNext(single);
        out.onCompleted();
      }
    }
  }

  private static boolean isText(byte[] octets) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets));
      return true;
    } catch (CharacterCodingException error) {
      return false;
    }
  }

  private static void unary(Message request, StreamObserver<Message> out) {
    Course course = COURSE.get();
    course.take(request, out);
    course.finish(out, course.response(request.octets(1), 1));
  }

  private static void serverStream(Message request, StreamObserver<Message> out) {
    Course course = COURSE.get();
    course.take(request, out);
    for (long number = 1; number <= course.plan.number(7) && !Context.current().isCancelled(); number++) {
      awaitRoom((ServerCallStreamObserver<Message>) out);
      out.onNext(course.response(request.octets(1), number));
    }
    course.finish(out, null);
  }

  /** The library queues without limit what its client does not take. */
  private static void awaitRoom(ServerCallStreamObserver<Message> out) {
    try {
      while (!out.isReady() && !Context.current().isCancelled()) Thread.sleep(1);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }

  private static StreamObserver<Message> clientStream(StreamObserver<Message> out) {
    Course course = COURSE.get();
    return new StreamObserver<>() {
      private ByteString all = ByteString.EMPTY;
      private boolean isOver;

      @Override
      public void onNext(Message request) {
        if (isOver) return;
        course.take(request, out);
        all = all.concat(request.octets(1));
        if (course.isEarly()) onCompleted();
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        if (isOver) return;
        isOver = true;
        course.finish(out, course.response(all, course.fate.requests));
      }
    };
  }

  private static StreamObserver<Message> bidiStream(StreamObserver<Message> out) {
    Course course = COURSE.get();
    return new StreamObserver<>() {
      private boolean isOver;

      @Override
      public void onNext(Message request) {
        if (isOver) return;
        course.take(request, out);
        if (Context.current().isCancelled()) return;
        out.onNext(course.response(request.octets(1), course.fate.requests));
        if (course.isEarly()) onCompleted();
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        if (isOver) return;
        isOver = true;
        course.finish(out, null);
      }
    };
  }

  private static void fateOf(Message request, StreamObserver<Message> out) {
    Message report = new Message();
    Fate known = FATES.get(request.text(1));
    if (known != null) report.add(1, (long) known.state).add(2, (long) known.requests);
    out.onNext(report);
    out.onCompleted();
  }

  private static MethodDescriptor<Message, Message> method(String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(MESSAGES, MESSAGES).setType(type).setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name)).build();
  }

  /** Gives each call its course. */
  private static final ServerInterceptor COURSES =
      new ServerInterceptor() {
        @Override
        @SuppressWarnings("unchecked")
        public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
          Course course = new Course((ServerCall<Message, Message>) call, headers);
          return Contexts.interceptCall(Context.current().withValue(COURSE, course), (ServerCall<Q, R>) course, headers, next);
        }
      };

  public static void main(String[] args) throws Exception {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(method("Unary", MethodDescriptor.MethodType.UNARY), ServerCalls.asyncUnaryCall(Server::unary))
            .addMethod(method("Fate", MethodDescriptor.MethodType.UNARY), ServerCalls.asyncUnaryCall(Server::fateOf))
            .addMethod(method("ServerStream", MethodDescriptor.MethodType.SERVER_STREAMING), ServerCalls.asyncServerStreamingCall(Server::serverStream))
            .addMethod(method("ClientStream", MethodDescriptor.MethodType.CLIENT_STREAMING), ServerCalls.asyncClientStreamingCall(Server::clientStream))
            .addMethod(method("BidiStream", MethodDescriptor.MethodType.BIDI_STREAMING), ServerCalls.asyncBidiStreamingCall(Server::bidiStream))
            .build();
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(SERVICE, ServingStatus.SERVING);
    NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])))
        .executor(Executors.newCachedThreadPool())
        .addService(ServerInterceptors.intercept(service, COURSES))
        .addService(health.getHealthService())
        .addService(ChannelzService.newInstance(100))
        .build()
        .start()
        .awaitTermination();
  }
}
