/** The sources whose claims are rebuilt: lecture notes and a paper; and those beyond them. */

export const KHARAGPUR = 'S. Chakraborty: Leader Election, lecture T9 of CS 60002, IIT Kharagpur';
export const LECTURE_22 =
  'Lecture 22: leader election, and how distributed computations are measured (slides)';
export const KARNAPKE = 'R. Karnapke: Election Algorithms, lecture notes, 2015';
export const ROURKELA = 'Leader Election, lecture notes, NIT Rourkela';
export const SHIRALI =
  'M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes, 2008';
