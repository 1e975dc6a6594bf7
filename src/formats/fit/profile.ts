/** The part of the FIT profile that runs need: numbers, names and scales of Garmin's FIT SDK 21. */

/** Seconds from the Unix epoch to the FIT epoch, 1989-12-31T00:00:00Z. */
export const FIT_EPOCH_S = 631_065_600
/** A smaller timestamp counts from the moment the device was switched on. */
export const FIRST_ABSOLUTE_S = 0x10000000

export const RECORD = 20
const FIELD_DESCRIPTION = 206
export const TIMESTAMP_FIELD = 253

/** A field of a message: value = raw / scale - offset. An array field gives its first element unless `array` is set. */
export interface FieldProfile {
  readonly name: string
  readonly scale: number
  readonly offset: number
  readonly array: boolean
}

export interface MessageProfile {
  readonly name: MessageName
  readonly fields: ReadonlyMap<number, FieldProfile>
}

export type MessageName =
  | 'fileId'
  | 'sport'
  | 'session'
  | 'lap'
  | 'event'
  | 'deviceInfo'
  | 'workout'
  | 'activity'
  | 'weatherConditions'
  | 'hr'
  | 'fieldDescription'

/** Number and name of each field, which may be followed by scale, offset and "[]" for arrays. */
const SESSION = `
253 timestamp, 2 startTime, 5 sport, 6 subSport, 7 totalElapsedTime 1000, 8 totalTimerTime 1000,
59 totalMovingTime 1000, 9 totalDistance 100, 10 totalCycles, 11 totalCalories, 14 avgSpeed 1000, 15 maxSpeed 1000,
124 enhancedAvgSpeed 1000, 125 enhancedMaxSpeed 1000, 16 avgHeartRate, 17 maxHeartRate, 64 minHeartRate,
18 avgCadence, 19 maxCadence, 92 avgFractionalCadence 128, 93 maxFractionalCadence 128, 20 avgPower, 21 maxPower,
22 totalAscent, 23 totalDescent, 24 totalTrainingEffect 10, 137 totalAnaerobicTrainingEffect 10,
49 avgAltitude 5 500, 50 maxAltitude 5 500, 71 minAltitude 5 500, 126 enhancedAvgAltitude 5 500,
127 enhancedMinAltitude 5 500, 128 enhancedMaxAltitude 5 500, 57 avgTemperature, 58 maxTemperature,
150 minTemperature, 110 sportProfileName, 192 workoutFeel, 193 workoutRpe`

export const MESSAGES: ReadonlyMap<number, MessageProfile> = new Map([
  message(0, 'fileId', '0 type, 1 manufacturer, 2 product, 3 serialNumber, 4 timeCreated, 8 productName'),
  message(12, 'sport', '0 sport, 1 subSport, 3 name'),
  message(18, 'session', SESSION),
  message(
    19,
    'lap',
    `
253 timestamp, 2 startTime, 7 totalElapsedTime 1000, 8 totalTimerTime 1000, 9 totalDistance 100, 15 avgHeartRate,
16 maxHeartRate, 17 avgCadence, 80 avgFractionalCadence 128, 19 avgPower, 21 totalAscent, 22 totalDescent,
23 intensity, 24 lapTrigger, 25 sport, 39 subSport`,
  ),
  message(21, 'event', '253 timestamp, 0 event, 1 eventType'),
  message(
    23,
    'deviceInfo',
    `
0 deviceIndex, 1 deviceType, 2 manufacturer, 3 serialNumber, 4 product, 25 sourceType, 27 productName`,
  ),
  message(26, 'workout', '8 wktName'),
  message(34, 'activity', '253 timestamp, 0 totalTimerTime 1000, 5 localTimestamp'),
  message(
    128,
    'weatherConditions',
    `
253 timestamp, 0 weatherReport, 1 temperature, 2 condition, 3 windDirection, 4 windSpeed 1000,
5 precipitationProbability, 6 temperatureFeelsLike, 7 relativeHumidity`,
  ),
  message(
    132,
    'hr',
    `
253 timestamp, 0 fractionalTimestamp 32768, 1 time256 256, 6 filteredBpm [], 9 eventTimestamp 1024 [],
10 eventTimestamp12 []`,
  ),
  message(
    FIELD_DESCRIPTION,
    'fieldDescription',
    `
0 developerDataIndex, 1 fieldDefinitionNumber, 2 fitBaseTypeId, 3 fieldName, 6 scale, 7 offset, 14 nativeMesgNum,
15 nativeFieldNum`,
  ),
])

function message(num: number, name: MessageName, fields: string): readonly [number, MessageProfile] {
  return [num, { name, fields: new Map(fields.split(',').map((text) => fieldProfile(text.trim().split(' ')))) }]
}

function fieldProfile([num, name = '', ...rest]: readonly string[]): readonly [number, FieldProfile] {
  const array = rest.at(-1) === '[]'
  const [scale = 1, offset = 0] = array ? rest.slice(0, -1) : rest
  return [Number(num), { name, scale: Number(scale), offset: Number(offset), array }]
}
