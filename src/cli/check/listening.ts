/** The file into which a checked app's ports are written. */
export const LISTENING_VARIABLE = 'SVC_X402_LISTENING';

/**
 * A module that Node loads before the user's app. It writes the port of each HTTP server to a file, because apps log their port
 * in many forms, and some do not use PORT.
 */
export const LISTENING_MODULE = `'use strict';
const { appendFileSync } = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const file = process.env.${LISTENING_VARIABLE};
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  if (file && this instanceof http.Server) {
    this.once('listening', () => {
      const address = this.address();
      if (address && typeof address === 'object') appendFileSync(file, address.port + '\\n');
    });
  }
  return listen.apply(this, args);
};
`;
