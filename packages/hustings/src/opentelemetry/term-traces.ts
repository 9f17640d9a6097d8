/**
 * A span for each term of an elector, made from its events. The tracer is one of `@opentelemetry/api`, on which hustings does
 * not depend. Renewals are counted and not listed: there are thousands in a long term.
 */
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import type { Lead } from '../elector/lead.ts';

/** The part of OpenTelemetry's `Span` that hustings uses. */
export interface TelemetrySpan {
  /** Sets one attribute. */
  setAttribute(key: string, value: string | number | boolean): unknown;
  /** Adds an event that happened now. */
  addEvent(name: string, attributes: Record<string, string | number | boolean>): unknown;
  /** Adds an error as an event. */
  recordException(error: Error | string): void;
  /** Sets the outcome: code 2 is an error. */
  setStatus(status: { code: number; message: string }): unknown;
  /** Ends the span now. */
  end(): void;
}

/** The part of OpenTelemetry's `Tracer` that hustings uses. */
export interface TelemetryTracer<Span extends TelemetrySpan = TelemetrySpan> {
  /** Starts a span now. */
  startSpan(name: string, options: { attributes: Record<string, string> }): Span;
}

/** The traces of one elector. */
export interface TermTraces<Span extends TelemetrySpan = TelemetrySpan> {
  /** For `createElector({ onEvent })`. It may be called without its object. */
  readonly onEvent: (event: ElectorEvent) => void;
  /** The span of a term, as the parent of the spans of its work; undefined after the term. */
  spanOf(lead: Lead): Span | undefined;
}

/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

/** A span for each term of one elector. Call it once for each elector. */
export function traceTerms<Span extends TelemetrySpan>(tracer: TelemetryTracer<Span>): TermTraces<Span> {
  const open = new Map<Lead, { readonly span: Span; renewals: number }>();
  const start = (lead: Lead): void => {
    const { name, token, holder } = lead.term;
    const attributes = { 'hustings.election': name, 'hustings.token': `${token}`, 'hustings.holder': holder };
    open.set(lead, { span: tracer.startSpan(`lead ${name}`, { attributes }), renewals: 0 });
  };
  const end = ({ lead, reason, released }: ElectorEvent & { readonly type: 'ended' }): void => {
    const term = open.get(lead);
    if (term === undefined) return;
    open.delete(lead);
    term.span.setAttribute('hustings.end_reason', reason);
    term.span.setAttribute('hustings.released', released);
    term.span.setAttribute('hustings.renewals', term.renewals);
    term.span.end();
  };
  const note = (event: ElectorEvent): void => {
    if (event.type === 'renewed') {
      const term = open.get(event.lead);
      if (term !== undefined) term.renewals++;
      return;
    }
    const spans = 'lead' in event ? [open.get(event.lead)?.span] : [...open.values()].map(({ span }) => span);
    for (const span of spans) if (span !== undefined) addEvent(span, event);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'elected') start(event.lead);
      else if (event.type === 'ended') end(event);
      else note(event);
    },
    spanOf: (lead) => open.get(lead)?.span,
  };
}

/** An event of a store has no term: it belongs to all that are open. */
function addEvent(span: TelemetrySpan, event: ElectorEvent): void {
  switch (event.type) {
    case 'stopping':
    case 'lost': {
      const { type, reason, detail } = event;
      span.addEvent(type, { 'hustings.end_reason': reason, 'hustings.detail': detail });
      if (type === 'lost') span.setStatus({ code: ERROR, message: `${reason}: ${detail}` });
      return;
    }
    case 'overdue':
      span.addEvent('overdue', {});
      return;
    case 'work-failed':
      span.recordException(asError(event.error));
      return;
    case 'store-error':
      span.addEvent('store-error', { 'hustings.kind': event.kind, 'hustings.detail': `${event.error}` });
      return;
    case 'store-recovered':
      span.addEvent('store-recovered', {
        'hustings.errors': event.errors,
        'hustings.after_ms': event.afterMs,
      });
      return;
    case 'tick-started':
      span.addEvent('tick-started', { 'hustings.tick': new Date(event.tickMs).toISOString() });
      return;
    case 'tick-ended': {
      const tick = { 'hustings.tick': new Date(event.tickMs).toISOString(), 'hustings.state': event.state };
      span.addEvent('tick-ended', tick);
      if (event.error !== null) span.recordException(asError(event.error));
    }
  }
}

const asError = (error: unknown): Error | string => (error instanceof Error ? error : String(error));
