/** Tests of your own service: the door `hustings/testing`. A store and a clock that the test controls. */

export type { ClockReading } from '../lease/core/clock-reading.ts';
export type { Clock } from '../lease/host/process-clock.ts';
export type * from '../lease/store-interface.ts';
export type { OtherLeader } from './other-leader.ts';
export type { StoreFault } from './test-connection.ts';
export { createTestKit, type TestKit, type TestKitOptions, type UntilOptions } from './test-kit.ts';
