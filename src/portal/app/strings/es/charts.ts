/** Spanish: charts and faces. */
import type { Strings } from '../en/index.ts';

export const charts: Strings['charts'] = {
  range: 'Periodo',
  days: days => `${days} días`,
  byDay: 'Accesos por día',
  day: 'Día (UTC)',
  outcomes: { signedIn: 'con acceso', enrolled: 'registros', refused: 'rechazos' },
  keys: title => `${title}. Las flechas izquierda y derecha eligen una columna.`,
  table: 'Como tabla',
  month: 'Este mes',
  used: (used, limit, plan) => `${used} de ${limit} accesos del plan «${plan}»`,
  usedFree: used => `${used} accesos. El plan no tiene límite.`,
  forecast: expected => `A este ritmo, ${expected} al final del mes.`,
  last: 'Últimos eventos',
  allEvents: 'Todos los eventos',
  refusals: 'Rechazos recientes',
  allRefusals: 'Todos los rechazos',
};

export const faces: Strings['faces'] = {
  calibrate: 'Mide tu codificador',
  calibrateText:
    'Hace el informe del comando `calibrate` con descriptores etiquetados, con el umbral y el margen de este servicio. El archivo se queda en este navegador: no se envía nada.',
  calibrateFile: 'Archivo de descriptores',
  calibrateHint:
    'Un objeto JSON por línea: `{"person": "p1", "descriptor": [128 números]}`. Varias personas, con varios descriptores cada una. El informe está en inglés.',
  wantedFmr: 'Tasa de falsas coincidencias que aceptas',
  wantedFmrWrong: 'Indica una tasa entre 0 y 1, por ejemplo 1e-4.',
  calibrateRun: 'Medir',
  reading: (percent: number) => `Leyendo: ${percent} %`,
  comparing: 'Comparando…',
  calibrateReport: 'Informe',
  calibrateFails: 'El navegador no pudo terminar, quizá por falta de memoria. Usa el comando en su lugar.',
  title: 'Caras',
  intro: 'Qué tan bien distingue el servicio a las personas de esta aplicación.',
  signIns: 'Distancias de los accesos',
  signInsText:
    'Qué tan cerca estuvo la cara más parecida en los últimos 90 días completos. Los recuentos menores de 20 se suman a su mes o se omiten.',
  byDistance: 'Accesos por distancia',
  distance: 'Distancia',
  matched: 'coincidió',
  notMatched: 'no coincidió',
  threshold: value => `Primera línea: umbral ${value}`,
  margin: value => `segunda línea: con el margen de ${value}`,
  noneTitle: 'Aún no hay recuentos',
  none: 'Un intervalo aparece cuando al menos 20 accesos de un día, o de un mes, cayeron en él.',
  size: 'Seguro para cuántos',
  sizeText: percent =>
    `Cuántos usuarios de una aplicación admite cada umbral: entra como mucho el ${percent} de los extraños. Medido con el codificador del SDK, tal como registra el SDK. MATCH_THRESHOLD es un ajuste del servidor, para todas sus aplicaciones.`,
  sizes: {
    fits: (users, threshold, carries) =>
      `Esta aplicación tiene ${users}. MATCH_THRESHOLD es ${threshold}, que admite ${carries}. Todo está bien.`,
    above: (users, threshold) =>
      `Esta aplicación tiene ${users}. MATCH_THRESHOLD es ${threshold}, por encima de todo lo medido.`,
    outgrown: (users, threshold, carries) =>
      `Esta aplicación tiene ${users}. MATCH_THRESHOLD es ${threshold}, que admite solo ${carries}.`,
    set: threshold => `Pon MATCH_THRESHOLD en ${threshold}.`,
    setAndFactor: threshold =>
      `Pon MATCH_THRESHOLD en ${threshold} y pide además un segundo factor: ningún umbral admite tantos.`,
    factor: 'Pide un segundo factor: ningún umbral admite tantos.',
    costs:
      'Entonces no se reconoce a algunos dueños más. Quien sea rechazado a menudo debería añadir una foto.',
    howFactor:
      'La opción `confirmBelow` del componente web añade un código por correo, o tu aplicación pide un factor propio. El servicio no ve si lo hace.',
    measured:
      'La estimación de abajo, hecha con las caras de esta aplicación, no deja dudas: guíate por ella y no por la tabla general.',
    otherEncoder: encoder =>
      `Las caras de esta aplicación se hicieron con \`${encoder}\`. La tabla no vale para él: mide tu codificador más abajo.`,
  },
  userCount: (count, shown) => `${shown} ${count === 1 ? 'usuario' : 'usuarios'}`,
  sizeColumns: ['Umbral', 'Usuarios', 'Rechazos de más, de 100 dueños'],
  costsOf: (from, to) => `de ${from} a ${to}`,
  inForce: 'en vigor',
  asked: 'para esta aplicación',
  beyond: threshold => `${threshold} y un segundo factor`,
  more: 'más',
  strangers: 'Distancias entre usuarios distintos',
  strangersText: 'Estimadas con una muestra de las caras guardadas, mientras la galería está cargada.',
  unknownTitle: 'Aún no hay estimación',
  unknown: 'Hacen falta bastantes usuarios y un acceso que cargue la galería.',
  fmr: 'Tasa de falsas coincidencias (FMR), con su intervalo',
  users: 'Usuarios',
  safeUsers: 'Usuarios hasta los que entra como mucho 1 de cada 1000 extraños, con su intervalo',
  mean: 'Distancia media',
  pairs: 'Pares comparados',
  enrolments: 'Registros rechazados por cara conocida',
  refusedOf: (refused, seen) => `${refused} de ${seen}`,
};
