/** Every claim that is rebuilt, by the kind of network that it is about. */
import type { Family } from './claim.ts';
import {
  dolevKlaweRodehRow,
  petersonBidirectionalRow,
  petersonRow,
  randomizedChangRobertsRow,
  timeSliceRow,
} from './claims/active-rings.ts';
import { allCirculateRow, changRobertsRow, hirschbergSinclairRow, leLannRow } from './claims/rings.ts';

export const families: readonly Family[] = [
  {
    name: 'rings',
    title: 'Rings with unique ids',
    rows: [
      leLannRow,
      changRobertsRow,
      allCirculateRow,
      hirschbergSinclairRow,
      petersonBidirectionalRow,
      petersonRow,
      dolevKlaweRodehRow,
      timeSliceRow,
      randomizedChangRobertsRow,
    ],
  },
];
