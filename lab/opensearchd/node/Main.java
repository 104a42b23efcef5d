import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

// Main runs one node of OpenSearch: folder, port of HTTP, port between nodes.
public class Main {
    static class Embedded extends Node {
        Embedded(Environment env) {
            super(env, List.of(Netty4Plugin.class, PainlessPlugin.class, ReindexPlugin.class), false);
        }
    }

    public static void main(String[] args) throws Exception {
        Settings settings = Settings.builder()
            .put("path.home", args[0])
            .put("cluster.name", "varve-test")
            .put("node.name", "one")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", args[1])
            .put("transport.port", args[2])
            .put("bootstrap.memory_lock", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        Environment env = InternalSettingsPreparer.prepareEnvironment(settings, Collections.emptyMap(), Path.of(args[0]), () -> "one");
        Node node = new Embedded(env);
        node.start();
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try { node.close(); } catch (Exception e) { e.printStackTrace(); }
            end.countDown();
        }));
        System.out.println("started");
        end.await();
    }
}
