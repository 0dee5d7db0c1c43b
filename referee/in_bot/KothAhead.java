import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * Loads a bot's class, waits for its arguments on standard input, and runs it.
 *
 * <p>Its own arguments are the class, the name of the bot in Java's command (the class, or a JAR),
 * and the bot's first arguments.
 *
 * <p>A class that Java's own launcher might treat differently ends this program before it reads. If
 * the class loader of Java itself has loaded this class, its frame is hidden in stack traces.
 * Otherwise it is the last folder of the class path, and starts sooner; the stack traces of errors
 * are then cut.
 *
 * <p>Java numbers the objects of each thread that are asked for a hash code of their own, in the
 * order of asking, and such hash codes decide the order of a bot's hash sets. So another thread finds
 * the bot's class: the main thread asks as few objects before the bot's first as Java's launcher.
 *
 * <pre>javac -g:none --source 11 --target 11
 *   --add-exports java.base/jdk.internal.vm.annotation=ALL-UNNAMED KothAhead.java</pre>
 */
public final class KothAhead extends Thread {
    private static final int MOST = 1 << 17;
    private static final String PATH = "java.class.path";

    private final String bot;
    private Method method;

    private KothAhead(String bot) {
        super("");
        this.bot = bot;
    }

    @Override
    public void run() {
        try {
            method = main(bot);
        } catch (Exception | LinkageError error) {
            System.exit(1); // before the arguments are read
        }
    }

    private static Method main(String bot) throws ReflectiveOperationException {
        Class<?> type = Class.forName(bot, false, ClassLoader.getSystemClassLoader());
        Method method = type.getMethod("main", String[].class);
        if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
            throw new NoSuchMethodException("main");
        }
        method.setAccessible(true);
        return method;
    }

    @jdk.internal.vm.annotation.Hidden
    public static void main(String[] words) throws Throwable {
        if (KothAhead.class.getClassLoader() != null) {
            String path = System.getProperty(PATH);
            System.setProperty(PATH, path.substring(0, path.lastIndexOf(':')));
            KothAhead finder = new KothAhead(words[0]);
            finder.start();
            finder.join();
            Method method = finder.method;
            Object[] arguments = {arguments(words)};
            try {
                method.invoke(null, arguments);
            } catch (InvocationTargetException error) {
                throw cut(error.getCause());
            }
            return;
        }
        Method method = main(words[0]);
        MethodHandles.Lookup lookup =
                MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup());
        MethodHandle main = lookup.unreflect(method).asFixedArity();
        String[] arguments = arguments(words);
        main.invokeExact(arguments);
    }

    /** Removes the frames of this class and below, also from the causes of an error. */
    private static Throwable cut(Throwable error) {
        Throwable next = error;
        for (int depth = 0; next != null && depth < 100; next = next.getCause(), depth++) {
            StackTraceElement[] frames = next.getStackTrace();
            int length = frames.length;
            while (length > 0 && !frames[length - 1].getClassName().contains("reflect.")) {
                length--;
            }
            while (length > 0 && frames[length - 1].getClassName().contains("reflect.")) {
                length--;
            }
            if (length > 0) {
                next.setStackTrace(Arrays.copyOf(frames, length));
            }
        }
        return error;
    }

    /** Returns the bot's first arguments, and those on standard input, each with NUL after it. */
    private static String[] arguments(String[] words) throws Exception {
        byte[] data = new byte[MOST];
        int size = 0;
        FileInputStream input = new FileInputStream(FileDescriptor.in); // stays open
        for (int more; (more = input.read(data, size, MOST - size)) > 0; ) {
            size += more;
        }
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding"));
        String[] arguments = Arrays.copyOfRange(words, 2, words.length);
        int begin = 0;
        for (int end = 0; end < size; end++) {
            if (data[end] == 0) {
                arguments = Arrays.copyOf(arguments, arguments.length + 1);
                arguments[arguments.length - 1] = new String(data, begin, end - begin, charset);
                begin = end + 1;
            }
        }
        System.setProperty("sun.java.command", command(words[1], arguments));
        return arguments;
    }

    private static String command(String bot, String[] arguments) {
        StringBuilder command = new StringBuilder(bot);
        for (String argument : arguments) {
            command.append(' ').append(argument);
        }
        return command.toString();
    }
}
