/** Traces for OpenTelemetry: the door `hustings/opentelemetry`. It needs no package of OpenTelemetry itself. */

export type { ElectorEvent } from '../elector/events/elector-event.ts';
export type { Lead } from '../elector/lead.ts';
export { type TelemetrySpan, type TelemetryTracer, type TermTraces, traceTerms } from './term-traces.ts';
