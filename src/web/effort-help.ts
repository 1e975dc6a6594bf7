/** What relative effort is, for runners. */
export const EFFORT_HELP =
  'How hard a run was for the heart: each minute counts as many points as the number of its heart-rate zone, from 1 in zone 1 to 5 in zone 5. An easy hour comes to about 120, a hard one to 200 and more. It compares your own runs with one another.'
