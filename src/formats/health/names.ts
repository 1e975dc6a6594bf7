/** Parts of the names that Apple gives to running, in the languages of its phones. */
const RUNS = 'run lauf course carrera corsa corrida hardlo juoks løb løp löp бег 跑 ラン 러닝'.split(' ')
/** Parts of names of walking, and of sports whose name contains one of `RUNS`: skiing, skating, wheelchairs, crunches. */
const OTHERS =
  `walk gehen wander spazier marche wandel ходьб 步行 走路 健走 ウォーキング 걷기 ski langlauf eislauf schlittschuh
rollschuh skøyte skøjte skate skating лыж 滑雪 wheelchair rollstuhl fauteuil carrozzina crunch trunk クランチ
バランス トランポリン`.split(/\s/)

/** Whether a workout with this name is a run. Other sports and unknown names are not. */
export function isRunName(name: string): boolean {
  const word = name.normalize('NFC').toLowerCase()
  return RUNS.some((part) => word.includes(part)) && !OTHERS.some((part) => word.includes(part))
}
