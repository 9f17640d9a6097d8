import { computed } from '@preact/signals';
import { extra } from './router.ts';

/** True in a frame of lecture notes: `embed=1` leaves out the header and the sentence. */
export const isEmbedded = computed(() => extra.value.embed === '1');
