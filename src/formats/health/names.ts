/** What Apple calls running in the languages of its phones, as a part of a word. */
const RUNS = [
  ...['run', 'lauf', 'course', 'carrera', 'corsa', 'corrida', 'hardlo', 'juoks', 'løb', 'løp', 'löp'],
  ...['бег', '跑', 'ラン', '러닝'],
]
/** Walking, and other sports that have one of those in their names: skiing, skating, wheelchairs, crunches. */
const OTHERS = [
  ...[
    'walk',
    'gehen',
    'wander',
    'spazier',
    'marche',
    'wandel',
    'ходьб',
    '步行',
    '走路',
    '健走',
    'ウォーキング',
    '걷기',
  ],
  ...['ski', 'langlauf', 'eislauf', 'schlittschuh', 'rollschuh', 'skøyte', 'skøjte', 'skate', 'skating', 'лыж', '滑雪'],
  ...['wheelchair', 'rollstuhl', 'fauteuil', 'carrozzina', 'crunch', 'trunk', 'クランチ', 'バランス', 'トランポリン'],
]

/** Whether a workout of that name is a run. Names of other sports, and those that nobody here knows, are none. */
export function isRunName(name: string): boolean {
  const word = name.normalize('NFC').toLowerCase()
  return RUNS.some((part) => word.includes(part)) && !OTHERS.some((part) => word.includes(part))
}
