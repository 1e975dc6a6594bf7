/** What relative effort is, for runners. */
export const EFFORT_HELP =
  'How hard a run was for your heart. Each minute scores its heart-rate zone: 1 point in zone 1, 5 in zone 5. An easy hour scores about 120, a hard one 200 or more. Use it to compare your own runs.'
/** What load is, for runners. */
export const LOAD_HELP =
  'Load counts intensity and time of every run, from heart rate, pace or what you entered: an hour at threshold is 100. Fitness and form follow from it.'
