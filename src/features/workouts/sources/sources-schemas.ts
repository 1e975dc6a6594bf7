import { type TSchema, type TString, Type } from '@sinclair/typebox'
import { RECORDING_ORIGINS } from '../../../db/stored.ts'
import { CORRECTED } from '../../../engine/judge/correction.ts'
import { eachNumber, NUMBERS } from '../../../engine/numbers.ts'
import type { MemberForms } from '../../../engine/repair/kind.ts'
import { CHANNEL_NAMES } from '../../../engine/repair/merge.ts'
import { membersOf, REPAIR_KINDS, type Repair } from '../../../engine/repair/repairs.ts'
import type { Channel } from '../../../engine/run/channels.ts'
import { FILE_TYPES } from '../../../formats/registry.ts'
import { choice, flag, meaning, moment, nullable, number, text, titled, Uuid, uuid } from '../../../http/schemas.ts'

const Origin = titled('NumberOrigin', choice('device', 'samples', 'row', 'archive', 'runner', 'derived'))

const NumberSource = Type.Object(
  {
    value: nullable(number('As stored and shown; null: unknown')),
    origin: meaning(
      'Total of the device, its samples, row of a table, archive, the runner, or other numbers; null: no value',
      nullable(Origin),
    ),
    recordingId: nullable(uuid('Recording that it comes from; null: from none')),
    others: Type.Array(
      Type.Object(
        {
          origin: meaning('Where the value comes from', Origin),
          recordingId: nullable(uuid('Recording that it comes from; null: from none')),
          value: number('As it would be stored'),
        },
        { title: 'OtherNumber' },
      ),
      { description: 'What the other sources say' },
    ),
  },
  { title: 'NumberSource' },
)

const fieldSource = uuid('Id of a recording of the run; absent: none has the channel, or in a repair: the primary one')

/** The recording that a channel comes from. */
export const FieldSources = Type.Partial(
  Type.Object(Object.fromEntries(CHANNEL_NAMES.map((name) => [name, fieldSource])) as Record<Channel, TString>),
  { title: 'FieldSources', description: 'Id of the recording that each channel comes from' },
)

const FORMS: { readonly [F in keyof MemberForms]: TSchema } = {
  recordedMs: Type.Number(),
  movedMs: Type.Number(),
  metres: Type.Number(),
  factor: nullable(Type.Number()),
  kcal: nullable(Type.Number()),
  climb: nullable(
    Type.Object({ gainM: number('Metres of climb'), lossM: number('Metres of descent') }, { title: 'ClimbLimit' }),
  ),
  flag: Type.Boolean(),
  timeZone: nullable(Type.String()),
  numbers: Type.Object({}, { additionalProperties: true }),
  shifts: Type.Record(Uuid, Type.Number()),
  fields: FieldSources,
  recording: nullable(Uuid),
}

/** What a kind of repair did. */
const REPAIRS: { readonly [K in Repair['kind']]: string } = {
  crop: 'The start or the end was cut off',
  cut: 'A section was taken out of the middle',
  split: 'The run is a part of a longer one',
  join: 'The run consists of several that followed each other',
  merge: 'Several recordings of one run became one',
  mend: 'Readings of a channel were removed or interpolated',
  distance: 'The distance was set',
  shift: 'The start or the time zone was moved',
  numbers: 'The numbers of a run without samples were entered',
}

/** Members of repairs, by name; times are on the clock of the recording. */
const MEMBERS: Readonly<Record<string, string>> = {
  fromMs: 'Start of the section, milliseconds since the recording began',
  toMs: 'End of the section, milliseconds since the recording began',
  climbLimit: 'Most climb and descent that the samples left may give; null: no limit',
  caloriesKcal: 'Kilocalories of what is left; null: unknown',
  closesGap: 'true: the later part moves up; false: the time stays as a pause',
  climb: 'Climb and descent of the whole run within this part; null: unknown',
  channel: 'The readings that were changed',
  fill: 'gap: removed; interpolate: a straight line instead',
  distanceM: 'Metres, as set by the runner',
  factor: 'Factor on the distance of every sample; null: the samples stay, as they follow a route',
  offsetMs: 'Milliseconds by which the run was moved; negative is earlier',
  timeZone: 'IANA time zone of the local time; null: that of the place',
  values: 'Numbers of the run by name; null: unknown',
  shiftsS: 'Seconds that were added to the clock, by id of a recording',
  fields: 'Recording of each channel that is not the primary one',
  tail: 'Recording whose samples follow the end of the first, as after a dead battery; null: none',
}

type Stated<R extends Repair> = R extends Repair
  ? { id: string; kind: R['kind']; data: Omit<R, 'kind'>; madeAt: string; undoneAt: string | null }
  : never

function repairOfKind(kind: Repair['kind']) {
  const members = membersOf(kind).map(([name, form]) => {
    const schema: TSchema = typeof form === 'string' ? FORMS[form] : choice(...form)
    return [name, meaning(MEMBERS[name] ?? name, schema)]
  })
  return Type.Object(
    {
      id: uuid('Of the repair'),
      kind: Type.Literal(kind, { description: REPAIRS[kind] }),
      data: Type.Object(Object.fromEntries(members), { description: 'With times on the clock of the recording' }),
      madeAt: moment('When it was made'),
      undoneAt: nullable(moment('When it was reverted; null: it is active')),
    },
    { title: `${kind[0]?.toUpperCase()}${kind.slice(1)}Repair` },
  )
}

const KINDS = Object.keys(REPAIR_KINDS) as Repair['kind'][]
const StatedRepair = Type.Unsafe<Stated<Repair>>(Type.Union(KINDS.map(repairOfKind), { title: 'RunRepair' }))

const correctedValue = (description: string) =>
  nullable(Type.Union([Type.Number(), Type.String()], { title: 'CorrectedValue', description }))

const RunRecording = Type.Object(
  {
    id: uuid('Of the recording'),
    origin: meaning('How it arrived', titled('RecordingOrigin', choice(...RECORDING_ORIGINS))),
    kind: meaning(
      'Session of a file, row of a table, entry by hand, or workout of an archive',
      titled('RecordingKind', choice('file', 'row', 'manual', 'archive')),
    ),
    filename: nullable(text('Of the original, as uploaded; null: it has none')),
    fileType: meaning('Format of the original; null: it has none', nullable(titled('FileType', choice(...FILE_TYPES)))),
    startedAt: moment('Start of the recording'),
    durationS: nullable(number('Elapsed seconds; null: not stated')),
    distanceM: nullable(number('Metres; null: not stated')),
    device: nullable(text('Device or app that recorded it; null: unknown')),
    channels: Type.Array(
      titled('RecordedChannel', choice('position', 'elevation', 'heartRate', 'cadence', 'power', 'temperature')),
      { description: 'What its samples have' },
    ),
    addedAt: moment('When it arrived'),
    isPrimary: flag('true: its samples and its clock count'),
  },
  { title: 'RunRecording' },
)

const Correction = Type.Object(
  {
    what: meaning('What the file states wrongly', titled('CorrectedPart', choice(...CORRECTED))),
    stated: correctedValue('As the file states it: metres, seconds, steps a minute, or a time; null: nothing'),
    used: correctedValue('What counts instead; null: nothing'),
    reason: text('One sentence with both values'),
    recordingId: uuid('The recording whose file states it'),
  },
  { title: 'RunCorrection' },
)

export const WorkoutSources = Type.Object(
  {
    recordings: Type.Array(RunRecording, { description: 'In the order of their arrival' }),
    repairs: Type.Array(StatedRepair, { description: 'In the order in which they were made, reverted ones too' }),
    corrections: Type.Array(Correction, {
      description: 'What the files state wrongly, also where the runner declined the corrections',
    }),
    choices: Type.Object(
      { stated: flag('true: the files count as they state') },
      { description: 'What the runner decided on the corrections' },
    ),
    numbers: Type.Object(
      eachNumber((name) => meaning(`${NUMBERS[name].meaning.split(/[;:]/)[0]}`, NumberSource)),
      { title: 'NumberSources', description: 'Where each number of the run comes from' },
    ),
  },
  { title: 'WorkoutSources' },
)
