import { RUN_TYPES, type RunType } from '../engine/limits.ts'
import { FormatError } from './format.ts'

/** Strava's activity numbers, which its GPX exports write as the type. */
const STRAVA_TYPES: ReadonlyMap<string, string> = new Map(
  [
    '1 Ride,2 Alpine Ski,3 Backcountry Ski,4 Hike,5 Ice Skate,6 Inline Skate,7 Nordic Ski,8 Roller Ski,9 Run,10 Walk',
    '12 Snowboard,13 Snowshoe,14 Kitesurf,15 Windsurf,16 Swim,17 Virtual Ride,18 E-Bike Ride',
  ].flatMap((types) => types.split(',').map((type) => [type.split(' ', 1)[0]!, type.replace(/^\d+ /, '')])),
)

const RUNNING_WORDS = /\b(?:run|runs|runner|running|jog|jogging|treadmill)\b/
const OTHER_WORDS = new RegExp(
  `\\b(?:${[
    'bike|biking|bicycle|bicycling|cycle|cycling|cyclist|ebike|mtb|bmx|velomobile|spinning|ride|riding|handcycle|handbike',
    'swim|swimming|dive|diving|snorkeling|water ?polo',
    'walk|walking|hike|hiking|trekking|mountaineering|climb|climbing|bouldering|snowshoe|snowshoeing',
    'ski|skiing|skitouring|skimo|snowboard|snowboarding|biathlon|sledding',
    'row|rowing|canoe|canoeing|kayak|kayaking|paddle|paddling|paddleboarding|paddleboard|sup|sail|sailing|rafting',
    'surf|surfing|kitesurf|kitesurfing|windsurf|windsurfing|wakeboarding|waterskiing',
    'skate|skating|skateboard|skateboarding|rollerblading|ice ?skating|inline ?skating|rollerski',
    'elliptical|stair ?stepper|stair ?climbing|yoga|pilates|strength|weights?|crossfit|gymnastics|dance|dancing|boxing',
    'golf|tennis|badminton|squash|soccer|football|basketball|volleyball|rugby|cricket|hockey|handball|baseball',
    'horse ?riding|horseback|equestrian|driving|motorcycling|motorcycle|flying|paragliding|wheelchair',
    'triathlon|duathlon',
  ].join('|')})\\b`,
)
const NOT_A_SPORT = /^(?:workout|training|fitness|other|generic|unknown|sport|activity)$/

/** Whether it is another sport than running; unknown and generic words are not: watches write many for a run. */
export function isOtherSport(sport: string | null): boolean {
  if (sport === null) return false
  const words = sportWords(sport)
  if (NOT_A_SPORT.test(words) || RUNNING_WORDS.test(words)) return false
  return OTHER_WORDS.test(words)
}

/** The refusal of a file of another sport; names the sport as the file does, Strava's numbers as words. */
export function otherSportError(sport: string): FormatError {
  const name = STRAVA_TYPES.get(sport.trim()) ?? sport.trim().replace(/_/g, ' ').slice(0, 50)
  return new FormatError(`The file is not a run: its sport is ${name}`, { problem: 'noRun', sport: name })
}

/** The run type, when the text of a sport or type field is exactly its name, in any case. */
export function runTypeOf(sport: string | null): RunType | null {
  const text = sport?.trim().toLowerCase()
  return RUN_TYPES.find((type) => type.toLowerCase() === text) ?? null
}

/** Whether a run was indoors, such as on a treadmill, and so has no climb. */
export function isIndoor(sport: string | null): boolean {
  return sport !== null && /\b(?:treadmill|indoor)\b/.test(sportWords(sport))
}

/** Normalises words: `TrailRunning`, `trail_running` and `Trail Running` are equal. */
function sportWords(sport: string): string {
  const text = STRAVA_TYPES.get(sport.trim()) ?? sport.trim()
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[_\-/.\s]+/g, ' ')
    .trim()
}
