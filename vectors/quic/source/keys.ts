import type { KeysVector } from "./craft.ts";
import type { VectorSource } from "../../write.ts";

/** Keys derived from secrets. */
export const source: VectorSource<KeysVector> = {
  about: "Keys that are derived from secrets",
  spec: "rfc9001#5.1",
  flags: { Example: { why: "an example of the specification", bug: "BASICS" } },
  vectors: [
    {"note": "Initial keys of the client, v1", "spec": "rfc9001#A.1", "version": "v1", "suite": "TLS_AES_128_GCM_SHA256", "initial": {"destination": "8394c8f03e515708", "side": "client"}, "secret": "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea", "key": "1f369613dd76d5467730efcbe3b1a22d", "iv": "fa044b2f42a3fd3b46fb255c", "hp": "9f50449e04a0e810283a1e9933adedd2", "result": "valid", "flags": ["Example"]},
    {"note": "Initial keys of the server, v1", "spec": "rfc9001#A.1", "version": "v1", "suite": "TLS_AES_128_GCM_SHA256", "initial": {"destination": "8394c8f03e515708", "side": "server"}, "secret": "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b", "key": "cf3a5331653c364c88f0f379b6067e37", "iv": "0ac1493ca1905853b0bba03e", "hp": "c206b8d9b9f0f37644430b490eeaa314", "result": "valid", "flags": ["Example"]},
    {"note": "keys of ChaCha20-Poly1305 and the secret after an update, v1", "spec": "rfc9001#A.5", "version": "v1", "suite": "TLS_CHACHA20_POLY1305_SHA256", "secret": "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b", "key": "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8", "iv": "e0459b3474bdd0e44a41c144", "hp": "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4", "next": "1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9", "result": "valid", "flags": ["Example"]},
    {"note": "Initial keys of the client, v2", "spec": "rfc9369#A.1", "version": "v2", "suite": "TLS_AES_128_GCM_SHA256", "initial": {"destination": "8394c8f03e515708", "side": "client"}, "secret": "14ec9d6eb9fd7af83bf5a668bc17a7e283766aade7ecd0891f70f9ff7f4bf47b", "key": "8b1a0bc121284290a29e0971b5cd045d", "iv": "91f73e2351d8fa91660e909f", "hp": "45b95e15235d6f45a6b19cbcb0294ba9", "result": "valid", "flags": ["Example"]},
    {"note": "Initial keys of the server, v2", "spec": "rfc9369#A.1", "version": "v2", "suite": "TLS_AES_128_GCM_SHA256", "initial": {"destination": "8394c8f03e515708", "side": "server"}, "secret": "0263db1782731bf4588e7e4d93b7463907cb8cd8200b5da55a8bd488eafc37c1", "key": "82db637861d55e1d011f19ea71d5d2a7", "iv": "dd13c276499c0249d3310652", "hp": "edf6d05c83121201b436e16877593c3a", "result": "valid", "flags": ["Example"]},
    {"note": "keys of ChaCha20-Poly1305 and the secret after an update, v2", "spec": "rfc9369#A.5", "version": "v2", "suite": "TLS_CHACHA20_POLY1305_SHA256", "secret": "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b", "key": "3bfcddd72bcf02541d7fa0dd1f5f9eeea817e09a6963a0e6c7df0f9a1bab90f2", "iv": "a6b5bc6ab7dafce30ffff5dd", "hp": "d659760d2ba434a226fd37b35c69e2da8211d10c4f12538787d65645d5d1b8e2", "next": "c69374c49e3d2a9466fa689e49d476db5d0dfbc87d32ceeaa6343fd0ae4c7d88", "result": "valid", "flags": ["Example"]},
  ],
};
