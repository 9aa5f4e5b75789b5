const http = require('node:http');
const https = require('node:https');

/**
 * A Serverless plugin for `serverless offline`, which reads every body as text, except those of two content types. AWS decides by
 * the bytes. So that attachments arrive whole, a body of any other type than text is announced as one of the two; the event still
 * shows the header that the client sent, because it is built from another list.
 */
class OfflineBinaryBodies {
  constructor() {
    this.hooks = { 'before:offline:start:init': announceBinary, 'before:offline:start': announceBinary };
  }
}

const textTypes = /^\s*(text\/|application\/([\w.+-]+\+)?(json|xml)\b|application\/x-www-form-urlencoded)/i;

let announcing = false;

function announceBinary() {
  if (announcing) return;
  announcing = true;
  for (const { prototype } of [http.Server, https.Server]) {
    const { emit } = prototype;
    prototype.emit = function (event, ...rest) {
      if (event === 'request') announce(rest[0].headers);
      return emit.call(this, event, ...rest);
    };
  }
}

function announce(headers) {
  const type = headers['content-type'];
  if (type !== undefined && !textTypes.test(type)) {
    headers['content-type'] = `${type}; as=application/octet-stream`;
  }
}

module.exports = OfflineBinaryBodies;
