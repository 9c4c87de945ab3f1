/** Spanish: apps, the quick start, refusals and settings. */
import type { Strings } from '../en/index.ts';

const number = (value: number) => value.toLocaleString('es');

export const apps: Strings['apps'] = {
  sparkline: (all: number, most: number) =>
    `Entradas y altas reales de los últimos 30 días: ${number(all)}, como máximo ${number(most)} en un día`,
  planNear: 'Casi todas las entradas del plan de este mes están usadas.',
  planUsed: 'Las entradas del plan de este mes se han agotado: las reales se rechazan.',
  unsafe: 'No distingue lo bastante bien los rostros.',
  create: 'Crear una aplicación',
  noneTitle: 'Aún no hay aplicaciones',
  none: 'Una aplicación es un producto con usuarios y claves propios. Nunca se comparten usuarios entre aplicaciones.',
  noneViewer: 'No estás en ningún equipo que tenga una aplicación.',
  nameHint: 'Como la gente llama a tu producto.',
  origin: 'Primer origen (opcional)',
  originHint:
    'Donde está tu sitio, como `https://shop.example`. Las claves de prueba aceptan siempre cualquier `http://localhost`.',
  created: 'creada',
  users: (live, test) => `${number(live)} usuarios reales y ${number(test)} de prueba`,
  auths: (used, most) =>
    most === null
      ? `${number(used)} accesos reales este mes`
      : `${number(used)} de ${number(most)} accesos reales este mes`,
  origins: n => (n === 0 ? 'solo localhost' : n === 1 ? '1 origen' : `${n} orígenes`),
  firstParty: 'propia',
};

export const start: Strings['start'] = {
  title: 'Primeros pasos',
  intro: 'De aquí a tu primer acceso. Todo lo de abajo ya está rellenado para esta aplicación.',
  tryIt: 'Prueba antes esta aplicación en el navegador, sin código',
  keysTitle: '1. Crea claves de prueba',
  keysText:
    'Una clave publicable para tu página y una secreta para tu servidor. Rellenan el código de abajo, y solo esta pestaña las guarda, hasta que la recargues.',
  keysMake: 'Crear claves de prueba',
  keysAgain: 'Crear otro par',
  keysHere: 'Recién creadas para el código de abajo. Esta pestaña las olvida al recargarla.',
  keysLost: last4 =>
    `Tienes claves de prueba, la última acaba en ${last4}. Las claves se muestran una vez: crea otro par para rellenar el código.`,
  codeTitle: '2. Pega esto',
  languages: 'Lenguaje',
  watchTitle: '3. Entra',
  waiting: 'Esperando la primera petición…',
  steps: {
    request: 'Primera petición: la clave funciona',
    enroll: 'Se registró una cara',
    match: 'Acceso con la cara',
  },
  stepDone: 'hecho',
  stepOpen: 'aún no',
  placeholders: { publishable: 'TU_CLAVE_PUBLICABLE_DE_PRUEBA', secret: 'TU_CLAVE_SECRETA_DE_PRUEBA' },
  done: 'Tu primer acceso funcionó.',
  refused: 'Se rechazó una petición',
  liveTitle: 'Pasar a modo real',
  liveOrigins: 'Indica los orígenes de tu sitio:',
  liveKeys: 'Crea claves reales, una publicable para la página y una secreta para tu servidor:',
  liveReplace: 'Úsalas en lugar de las de prueba y pon el verificador en el modo «live». No cambia nada más.',
  html: 'Guárdalo como `index.html`, ejecuta `python3 -m http.server 3000` al lado y abre `http://localhost:3000`. Usa una cara inventada, así que no necesita cámara. Regístrate con cualquier dirección. Después recarga la página, elige “Already enrolled? Sign in” y entra.',
  htmlReal:
    'Para caras reales, cambia las dos líneas marcadas como muestra el README del SDK (lo escribe `face-sign-in sdk DIR`).',
  react: 'Escribe los paquetes con la primera orden e instálalos en tu proyecto.',
  node: 'Tu servidor verifica el token que recibió la página. Necesita Node.js 20 o posterior.',
  python: 'Necesita `pip install "pyjwt[crypto]"`. Verifica sin conexión, con las claves públicas.',
  curl: 'Una cara inventada de 128 números se registra y entra. Pégalo en una terminal.',
};

export const refusals: Strings['refusals'] = {
  intro:
    'Lo que la API rechazó hace poco: los últimos 200 de esta aplicación y este modo, solo en memoria y sin datos de personas.',
  noneTitle: 'No se rechazó nada',
  none: 'Aquí aparecen las peticiones que la API rechaza, con la solución.',
  code: 'Código',
  fix: 'Qué hacer',
  allow: 'Permitirlo',
  allowed: 'Ya permitido: recarga la página',
  allowTitle: origin => `¿Permitir ${origin}?`,
  allowText: 'Las páginas de este origen podrán usar las claves publicables de la aplicación.',
  unknown: 'El significado está en la referencia de la API.',
  fixes: {
    origin_not_allowed: 'El origen de la página no está en la lista de la aplicación.',
    unauthorized: 'La clave, el token o su aplicación no es correcto. Comprueba qué clave envía la página.',
    challenge_invalid: 'Pide un challenge nuevo para cada intento: sirve una vez, durante 60 segundos.',
    consent_required: 'Al registrar, envía `consent` con la versión de tu aviso.',
    invalid_request: 'El cuerpo no es como se describe. El mensaje de error de la respuesta nombra el campo.',
    invalid_code: 'La persona escribió mal el código, o el código caducó.',
    no_match: 'No se reconoció a nadie. Quizá deba registrarse o usar un código por correo.',
    face_already_enrolled: 'Esta cara ya está registrada: entra en lugar de registrarte.',
    email_taken: 'Esta dirección ya está registrada: entra en lugar de registrarte.',
    encoder_mismatch:
      'Las caras de la aplicación vienen de otro codificador. Usa el mismo, o elimina antes a los usuarios.',
    test_limit_reached: 'El modo de prueba tiene un tope. Elimina usuarios de prueba o pasa a modo real.',
    plan_limit_reached: 'El plan de esta aplicación está agotado este mes.',
    rate_limited: 'Demasiadas peticiones. Espera lo que indica `Retry-After`.',
    token_revoked: 'La persona cerró sesión. Debe entrar de nuevo.',
    email_unavailable: 'No hay ningún servidor de correo configurado.',
    email_send_failed: 'El servidor de correo no aceptó el mensaje. Mira la página de estado.',
    payload_too_large: 'El cuerpo es demasiado grande.',
    headers_too_large: 'El navegador ha enviado demasiadas cookies. Borra las de esta dirección.',
    unsupported_media_type: 'Envía `Content-Type: application/json`.',
    not_found: 'No existe esa ruta o ese usuario. Comprueba la ruta.',
    method_not_allowed: 'Esta ruta usa otro método.',
  },
};

export const settings: Strings['settings'] = {
  id: 'ID de la aplicación',
  planText: 'Cuántos accesos y registros reales por mes. Solo lo cambian los administradores.',
  keyLimits: (live, test) => `Permite ${live} claves reales y ${test} de prueba.`,
  planOf: (name, monthly) =>
    monthly === null ? `${name} (sin límite)` : `${name} (${monthly.toLocaleString('es')} al mes)`,
  origins: 'Orígenes permitidos',
  originsText:
    'Las páginas de estos orígenes pueden usar las claves publicables. Las claves de prueba aceptan además `http://localhost` con cualquier puerto.',
  origin: 'Origen',
  addOrigin: 'Añadir',
  correct: origin => `Usar ${origin}`,
  removeOrigin: origin => `Quitar ${origin}`,
  originsNone: 'Aún no hay orígenes: las claves reales no funcionan desde ninguna página.',
  move: 'Mover a otro equipo',
  moveText:
    'Los miembros de ese equipo la reciben, con sus claves y usuarios. Los de este la pierden de inmediato.',
  moveSubmit: 'Mover',
  firstParty: 'Aplicación propia',
  firstPartyText:
    'Para aplicaciones de tu propia organización: al entrar se guarda además una cookie de sesión HttpOnly, que el servicio acepta para cerrar sesión. Las demás aplicaciones reciben el token solo en la respuesta.',
  firstPartyOn: 'Esta aplicación es propia',
  danger: 'Eliminar esta aplicación',
  dangerText:
    'Elimina todos sus usuarios, caras y claves, en modo real y de prueba. Los tokens dejan de funcionar. No se puede deshacer.',
  deleteApp: 'Eliminar la aplicación',
  typeName: name => `Escribe ${name} para confirmar`,
};

export const keys: Strings['keys'] = {
  intro:
    'Las claves publicables van en tu página, las secretas se quedan en tu servidor. Una clave se muestra una vez, al crearla.',
  create: 'Crear una clave',
  noneTitle: 'No hay claves',
  none: 'Crea una clave publicable para tu página.',
  types: { publishable: 'Publicable', secret: 'Secreta' },
  label: 'Etiqueta',
  labelHint: 'Opcional, por ejemplo «tienda web».',
  key: 'Clave',
  used: 'Último uso',
  state: 'Estado',
  active: 'Activa',
  endsAt: 'Termina',
  revoked: 'Revocada',
  roll: 'Renovar',
  rollTitle: 'Renovar esta clave',
  rollText: 'Crea una clave nueva del mismo tipo. La anterior funciona hasta que termine.',
  rollEnds: 'La clave anterior termina',
  rollIn: { '0': 'ahora mismo', '3600': 'en 1 hora', '86400': 'en 24 horas', '604800': 'en 7 días' },
  revoke: 'Revocar',
  revokeTitle: last4 => `¿Revocar la clave que acaba en ${last4}?`,
  revokeText: 'Desde ahora se rechazan las peticiones con ella. No se puede deshacer.',
  madeTitle: 'Tu clave nueva',
  madeText: 'Cópiala ahora. No se muestra de nuevo y nadie puede consultarla.',
  madeSecret: 'Guárdala en tu servidor. No la pongas nunca en una página ni en un repositorio.',
  madeClose: 'La he copiado',
  showRevoked: 'Mostrar claves revocadas',
};
