// What belongs to a session of Health Connect: rows of other tables, named and with columns as in its database. Sources:
// the helpers of storage/datatypehelpers in Android's packages/modules/HealthFitness, and exports that others describe.

/** A table whose rows are parts of runs. The ZIP of a run has them as `<table>.csv` with these columns. */
export interface PartTable {
  readonly table: string
  /** The columns with the times come first: one, or a beginning and an end, Unix milliseconds. */
  readonly columns: readonly [time: string, ...values: string[]]
  /**
   * How rows belong to a run. session: by `parent_key`; time: by their times. Of the latter the app that wrote them is
   * known by `app_info_id`, which `parents`, if there is such a table, has.
   */
  readonly by: 'session' | 'time'
  readonly parents?: string
}

const interval = (table: string, value: string): PartTable => ({
  ...{ table, columns: ['start_time', 'end_time', value], by: 'time' },
})
const series = (table: string, value: string, parents: string): PartTable => ({
  ...{ table, columns: ['epoch_millis', value], by: 'time', parents },
})

export const SESSIONS = 'exercise_session_record_table'
export const PARTS = {
  route: {
    table: 'exercise_route_table',
    columns: ['timestamp_millis', 'latitude', 'longitude', 'altitude', 'horizontal_accuracy'],
    by: 'session',
  },
  laps: { table: 'exercise_laps_table', columns: ['lap_start_time', 'lap_end_time', 'lap_length'], by: 'session' },
  segments: {
    table: 'exercise_segments_table',
    columns: ['segment_start_time', 'segment_end_time', 'segment_type'],
    by: 'session',
  },
  heartRate: series('heart_rate_record_series_table', 'beats_per_minute', 'heart_rate_record_table'),
  speed: series('speed_record_table', 'speed', 'SpeedRecordTable'),
  power: series('power_record_table', 'power', 'PowerRecordTable'),
  cadence: series('steps_cadence_record_table', 'rate', 'StepsCadenceRecordTable'),
  steps: interval('steps_record_table', 'count'),
  distance: interval('distance_record_table', 'distance'),
  activeEnergy: interval('active_calories_burned_record_table', 'energy'),
  energy: interval('total_calories_burned_record_table', 'energy'),
  climb: interval('elevation_gained_record_table', 'elevation'),
} as const satisfies Readonly<Record<string, PartTable>>
export type PartName = keyof typeof PARTS

/** The app that wrote a record. */
export const APP = 'app_info_id'

/** Numbers of sports in the database: those of the platform. */
const SPORTS =
  `unknown,badminton,baseball,basketball,biking,stationary biking,boot camp,boxing,calisthenics,cricket,dancing,
exercise class,fencing,american football,australian football,frisbee,golf,guided breathing,gymnastics,handball,
interval training,hiking,ice hockey,ice skating,martial arts,paddling,paragliding,pilates,racquetball,rock climbing,
roller hockey,rowing,rugby,running,treadmill,sailing,scuba diving,skating,skiing,snowboarding,snowshoeing,soccer,
softball,squash,stair climbing,strength training,stretching,surfing,open water swimming,pool swimming,table tennis,
tennis,volleyball,walking,water polo,weightlifting,wheelchair,yoga,other workout,stair climbing,elliptical,rowing
machine`
    .replaceAll('\n', ' ')
    .split(/, ?/)
export const [RUNNING, TREADMILL] = [33, 34]

/** The name of a sport by its number. */
export function sportNamed(type: number): string {
  return SPORTS[type] ?? 'unknown'
}
