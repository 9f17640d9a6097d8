/** The lecture notes and papers whose claims are measured. */

export const KHARAGPUR = 'S. Chakraborty: Leader Election, lecture T9 of CS 60002, IIT Kharagpur';
export const LECTURE_22 =
  'Lecture 22: leader election, and how distributed computations are measured (slides)';
export const KARNAPKE = 'R. Karnapke: Election Algorithms, lecture notes, 2015';
export const ROURKELA = 'Leader Election, lecture notes, NIT Rourkela';
export const SHIRALI =
  'M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes, 2008';
