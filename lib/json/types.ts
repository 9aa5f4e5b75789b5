/** A JSON value (RFC 8259, section 3) as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}
