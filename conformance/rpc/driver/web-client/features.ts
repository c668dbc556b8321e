/** Optional features of a client of a web dialect, which its adapter lists: what it does with the description then. */
export const WEB_CLIENT_FEATURES: Readonly<Record<string, string>> = {
  streams: "it makes calls of the kinds client-stream and server-stream",
  bidi: "it makes calls of the kind bidi, with `open` and `turns`",
  json: "it heeds `format` of the channel",
  get: "it sends a call with `get` as GET",
  text: "it heeds `text` of the channel",
  gzip: "it compresses and reads messages in gzip",
  deadline: "it heeds `timeoutMs`",
  cancel: "it cancels a call as `cancel` says",
  details: "it reports `details`",
};
