/**
 * Columns of Strava's activities.csv: the index in the layout from 2022 on, which is the same in every language (-1:
 * none), then the titles seen in English, German, French, Spanish and Dutch exports, and Italian and Portuguese ones as
 * on Strava's site.
 */
const OWN_COLUMNS = {
  date: "1|activity date|aktivitätsdatum|date de l'activité|fecha de la actividad|data dell'attività|data attività|data da atividade|datum van activiteit",
  name: "2|activity name|name der aktivität|nom de l'activité|nombre de la actividad|nome dell'attività|nome attività|nome da atividade|naam activiteit",
  type: "3|activity type|aktivitätsart|type d'activité|tipo de actividad|tipo di attività|tipo attività|tipo de atividade|activiteitstype",
  filename:
    '12|filename|dateiname|nom du fichier|nombre de archivo|nome file|nome del file|nome do arquivo|nome do ficheiro|bestandsnaam',
  competition:
    '95|competition|wettkampf|wettbewerb|compétition|competencia|competición|competizione|gara|competição|wedstrijd',
  longRun:
    '96|long run|langer lauf|sortie longue|carrera larga|tirada larga|corsa lunga|lungo|corrida longa|longão|lange loop',
  media: '-1|media|medien|support|multimedia|médias|contenuti multimediali|mídia|multimédia',
} as const

/** Members of the raw data and their columns (docs/api.md 11.3), in its order. */
export const RAW_COLUMNS = {
  activityId:
    "0|activity id|aktivitäts-id|id de l'activité|id. de actividad|id de actividad|id attività|id da atividade|activiteits-id",
  elapsedTime:
    '15|elapsed time|verstrichene zeit|temps écoulé|tiempo transcurrido|tempo trascorso|tempo decorrido|verstreken tijd',
  movingTime:
    '16|moving time|bewegungszeit|durée de déplacement|tiempo en movimiento|tempo in movimento|tempo di movimento|tempo em movimento|tempo de movimentação|beweegtijd',
  timerTime: '91|timer time|timer-zeit|temps enregistré par le chronomètre|tiempo del cronómetro|tijd op de timer',
  distance: '17|distance|distanz|distancia|distanza|distância|afstand',
  maxHeartRate:
    '30|max heart rate|max. herzfrequenz|fréquence cardiaque max.|ritmo cardíaco máx.|frequenza cardiaca max|frequenza cardiaca max.|frequência cardíaca máx.|frequência cardíaca máxima|max. hartslag',
  averageHeartRate:
    '31|average heart rate|durchschnittliche herzfrequenz|fréquence cardiaque moyenne|ritmo cardíaco promedio|frequenza cardiaca media|frequência cardíaca média|gemiddelde hartslag',
  maxCadence:
    '28|max cadence|max. tritt-/schrittfrequenz|cadence max.|cadencia máx.|cadenza max|cadência máx.|max. cadans',
  averageCadence:
    '29|average cadence|durchschnittliche trittfrequenz|cadence moyenne|cadencia promedio|cadenza media|cadência média|gemiddelde cadans',
  maxWatts: '32|max watts|max. watt|puissance max.|máx. de vatios|watt max|watts máx.|maximaal wattage',
  averageWatts:
    '33|average watts|durchschnittliche watt|puissance moyenne|vatios promedio|watt medi|watts médios|gemiddeld wattage',
  calories: '34|calories|kalorien|calorías|calorie|calorias|calorieën',
  maxSpeed:
    '18|max speed|höchstgeschw.|vitesse max.|velocidad máxima|velocità max|velocità massima|velocidade máx.|velocidade máxima|max. snelheid',
  averageSpeed:
    '19|average speed|durchschnittliche geschwindigkeit|vitesse moyenne|velocidad promedio|velocità media|velocidade média|gemiddelde snelheid',
  elevationGain:
    '20|elevation gain|höhenzunahme|dénivelé positif|desnivel positivo|dislivello positivo|ganho de elevação|totale stijging',
  elevationLoss:
    '21|elevation loss|höhenunterschied|dénivelé négatif|desnivel negativo|dislivello negativo|perda de elevação|totale daling',
  elevationLow:
    '22|elevation low|min. höhe|altitude min.|desnivel bajo|altitudine minima|elevação mínima|kleinste hoogte',
  elevationHigh:
    '23|elevation high|max. höhe|altitude max.|desnivel alto|altitudine massima|elevação máxima|grootste hoogte',
  maxGrade: '24|max grade|max. steigung|pente max.|grado máximo|max. stijgingspercentage',
  averageGrade:
    '25|average grade|durchschnittliche steigung|pente moyenne|pendiente promedio|gemiddeld stijgingspercentage',
  averagePositiveGrade:
    '26|average positive grade|durchschnittliche positive steigung|pente positive moyenne|grado positivo promedio|gemiddeld positief stijgingspercentage',
  averageNegativeGrade:
    '27|average negative grade|durchschnittliche negative steigung|pente négative moyenne|grado negativo promedio|gemiddeld negatief stijgingspercentage',
  relativeEffort:
    '37|relative effort|relative leistung|effort relatif|esfuerzo relativo|sforzo relativo|esforço relativo|vergelijkbare poging',
  gear: "11|activity gear|aktivitätsausrüstung|matériel utilisé pour l'activité|equipamiento de la actividad|attrezzatura dell'attività|attrezzatura attività|equipamento da atividade|uitrusting voor activiteit",
  commute:
    '50|commute|pendeln|déplacement-transport|viaje al trabajo|tragitto casa-lavoro|deslocamento|woon-werkverkeer',
  perceivedExertion:
    '43|perceived exertion|gefühlte anstrengung|effort ressenti|esfuerzo percibido|sforzo percepito|esforço percebido|ervaren inspanning',
  activityDescription:
    "4|activity description|aktivitätsbeschreibung|description de l'activité|descripción de la actividad|descrizione dell'attività|descrizione attività|descrição da atividade|beschrijving van activiteit",
  activityPrivateNote:
    "10|activity private note|hinweis zur privatsphäre für aktivitäten|private notiz zur aktivität|note privée sur les activités|nota privada de actividad|nota privata dell'attività|nota privata attività|nota privada da atividade|anotação privada da atividade|privénotitie activiteit",
} as const

/** Members of the weather in the raw data, and their columns. */
export const WEATHER_COLUMNS = {
  observationTime:
    "54|weather observation time|wetterbeobachtungszeit|heure d'observation de la météo|tiempo de observación del clima|tijd weerbeeld",
  condition: '55|weather condition|wetterlage|conditions météo|condición climática|weersomstandigheden',
  temperature:
    '56|weather temperature|wetter: temperatur|température selon les prévisions météo|temperatura|buitentemperatur|buitentemperatuur',
  apparentTemperature:
    '57|apparent temperature|scheinbare temperatur|température ressentie|sensación térmica|gevoelstemperatuur',
  dewpoint: '58|dewpoint|taupunkt|point de rosée|punto de rocío|dauwpunt',
  humidity: '59|humidity|luftfeuchtigkeit|humidité|humedad|umidità|umidade|vochtigheid',
  pressure: '60|weather pressure|wetter: druck|pression atmosphérique|presión atmosférica|luchtdruk',
  windSpeed:
    '61|wind speed|windgeschwindigkeit|vitesse du vent|velocidad del viento|velocità del vento|velocidade do vento|windsnelheid',
  windGust: '62|wind gust|windböe|rafale de vent|ráfaga de viento|windstoot',
  windBearing:
    '63|wind bearing|windrichtung|direction du vent|dirección del viento|direzione del vento|direção do vento|windrichting',
  precipitationIntensity:
    '64|precipitation intensity|niederschlagsintensität|intensité des précipitations|intensidad de la precipitación|neerslagintensiteit',
  precipitationProbability:
    '70|precipitation probability|niederschlagswahrscheinlichkeit|probabilité de précipitations|probabilidad de precipitación|kans op neerslag',
  precipitationType:
    '71|precipitation type|niederschlagsart|type de précipitations|tipo de precipitación|type neerslag',
  cloudCover: '72|cloud cover|wolkendecke|couverture nuageuse|nubosidad|bewolking',
  visibility: '73|weather visibility|wetter: sichtbarkeit|visibilité selon les prévisions météo|visibilidad|zicht',
  uvIndex: '74|uv index|uv-index|indice uv|índice uv',
  ozone: '75|weather ozone|wetter: ozon|ozone selon les prévisions météo|estado del ozono|ozonwaarde',
  sunriseTime: '65|sunrise time|sonnenaufgangszeit|heure de lever du soleil|hora de salida del sol|tijd zonsopgang',
  sunsetTime:
    '66|sunset time|sonnenuntergangszeit|heure de coucher du soleil|hora de puesta del sol|tijd zonsondergang',
  moonPhase: '67|moon phase|mondphase|phase de la lune|fase lunar|maanstand',
} as const

export type StravaColumn = keyof typeof OWN_COLUMNS | keyof typeof RAW_COLUMNS | keyof typeof WEATHER_COLUMNS

export const STRAVA_COLUMNS = Object.entries({ ...OWN_COLUMNS, ...RAW_COLUMNS, ...WEATHER_COLUMNS }).map(
  ([name, text]) => {
    const [index, ...titles] = text.split('|')
    return { name: name as StravaColumn, index: Number(index), titles }
  },
)

/** Exports before 2019 have these ten titles, in lower case, and distances in metres. */
export const OLD_TITLES: Readonly<Partial<Record<StravaColumn, string>>> = {
  activityId: 'id',
  date: 'date',
  name: 'name',
  type: 'type',
  activityDescription: 'description',
  elapsedTime: 'elapsed_time',
  distance: 'distance',
  commute: 'commute',
  gear: 'gear',
  filename: 'filename',
}
