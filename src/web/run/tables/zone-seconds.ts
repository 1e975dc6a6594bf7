/** The last sample counts as long as samples usually lie apart, seconds at most. */
const LAST_SAMPLE_S = 60

/**
 * Time in each zone as displayed. The service lets the last heart rate count for one usual interval, of which nothing
 * was run, so that the zones of a run of 30:00 add up to 30:01; the longest zone, of which that is the least share, is
 * displayed without it.
 * @param seconds whole seconds in zones 1 to 5
 * @param runS seconds for which the watch ran; zones that are longer by more were measured otherwise, and stay
 */
export function secondsWithin(seconds: readonly number[], runS: number): readonly number[] {
  const surplusS = seconds.reduce((sum, value) => sum + value, 0) - Math.round(runS)
  const longest = seconds.indexOf(Math.max(...seconds))
  if (!(surplusS > 0 && surplusS <= LAST_SAMPLE_S) || surplusS > seconds[longest]!) return seconds
  return seconds.with(longest, seconds[longest]! - surplusS)
}
