/** The upper tail of the standard normal distribution, on a logarithmic scale that does not underflow. */

/** Terms of the continued fraction: 60 give more than nine digits from z = 2 on. */
const TERMS = 60;

/** −log10 of the probability that a standard normal variable exceeds z. */
export function negLog10Tail(z: number): number {
  const logDensity = (-z * z) / 2 - Math.log(2 * Math.PI) / 2;
  if (z < 2) return -Math.log10(smallTail(z, Math.exp(logDensity)));
  // Laplace: Q(z) = density / (z + 1/(z + 2/(z + 3/(z + …)))).
  let fraction = z;
  for (let k = TERMS; k >= 1; k--) fraction = z + k / fraction;
  return (Math.log(fraction) - logDensity) / Math.LN10;
}

/** Q(z) = 1/2 − density · (z + z³/3 + z⁵/15 + …); below −2 by symmetry. */
function smallTail(z: number, density: number): number {
  if (z < -2) return 1 - 10 ** -negLog10Tail(-z);
  let [term, sum] = [z, z];
  for (let k = 3; k < TERMS; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 - density * sum;
}
