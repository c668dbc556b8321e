/** Names in the three styles of contracts (rpc-contract#style), and whether a name has one. */

/** The words of a name: `HTTPState` and `http_state` have the words http and state. A digit belongs to the word before it. */
const words = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `shop_order` becomes `ShopOrder`; capitals inside of words stay. */
export const pascalCase = (name: string): string => words(name).map(capitalized).join("");
/** `shopOrder` becomes `shop_order`. */
export const lowerSnakeCase = (name: string): string => words(name).join("_").toLowerCase();
/** `shopOrder` becomes `SHOP_ORDER`. */
export const upperSnakeCase = (name: string): string => words(name).join("_").toUpperCase();

export const isPascalCase = (name: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(name);
export const isLowerSnakeCase = (name: string): boolean => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name);
export const isUpperSnakeCase = (name: string): boolean => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name);

/** Whether the last part of a package is a version: `v1`, `v1beta2`, `v1p1alpha1`, `v1test`. */
export const isVersion = (part: string): boolean => /^v0*[1-9]\d*(?:test.*|(?:p0*[1-9]\d*)?(?:alpha|beta)(?:0*[1-9]\d*)?)?$/.test(part);
/** Whether a version makes no promise yet. */
export const isUnstable = (part: string): boolean => isVersion(part) && !/^v\d+$/.test(part);
/** The last part of a package. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
