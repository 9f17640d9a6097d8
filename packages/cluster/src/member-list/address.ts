/** Addresses of members: HOST:PORT, with an IPv6 address in brackets. */
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** The parts of an address. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const BRACKETS = /^\[([^\]]+)\]:(\d{1,5})$/;
const PLAIN = /^([^:[\]]+):(\d{1,5})$/;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** What an address must be, or null if it is one. */
export function addressProblem(address: unknown): string | null {
  if (typeof address !== 'string') return 'must be a text such as "10.0.0.1:7000"';
  const brackets = BRACKETS.exec(address);
  const match = brackets ?? PLAIN.exec(address);
  if (match === null) return 'must have the form HOST:PORT, with an IPv6 address in brackets';
  const [, host, port] = match;
  if (brackets === null ? !isHostName(host) : !isIPv6(host)) return 'must name a host or an IP address';
  if (Number(port) < 1 || Number(port) > 65_535) return 'must have a port from 1 to 65535';
  return null;
}

/** Digits alone are a misspelt IPv4 address. */
function isHostName(host: string): boolean {
  if (isIPv4(host)) return true;
  return host.length <= 253 && !/^[\d.]+$/.test(host) && host.split('.').every((label) => LABEL.test(label));
}

/** `address` was checked by `addressProblem`. */
export function parseAddress(address: string): HostAndPort {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

/** A name other than localhost may resolve to any address, so it does not count. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return isIPv4(host) ? host.startsWith('127.') : host === '::1' || host === '0:0:0:0:0:0:0:1';
}
