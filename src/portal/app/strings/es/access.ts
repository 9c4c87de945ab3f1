/** Spanish: signing in, links, recovery, and the account. */
import type { Strings } from '../en/index.ts';

export const signIn: Strings['signIn'] = {
  title: 'Iniciar sesión',
  intro: 'El portal es para quienes operan este servicio o desarrollan con él.',
  passkey: 'Entrar con una llave de acceso',
  waiting: 'Esperando tu llave de acceso…',
  recovery: 'Usar un código de recuperación',
  helpTitle: '¿Aún sin llave de acceso?',
  help: 'En la máquina del servicio, uno de estos muestra un enlace. El primero crea un administrador.',
  helpMore: '¿Te invitaron a un equipo? Abre el enlace que te enviaron.',
  unsupported: 'Este navegador no tiene llaves de acceso. Usa un código de recuperación o un enlace.',
  notLocalhost: url => `Las llaves de acceso no funcionan en esta dirección. Abre ${url}.`,
  healthy: 'El servicio funciona bien.',
  degraded: 'El servicio funciona, pero necesita atención.',
  down: 'El servicio no funciona.',
  details: 'Estado',
};

export const link: Strings['link'] = {
  title: 'Te damos la bienvenida',
  intro: 'Este enlace te da acceso. Funciona una vez.',
  invited: 'Este enlace te da acceso o te añade a un equipo.',
  open: 'Continuar',
  name: 'Tu nombre',
  email: 'Tu dirección de correo',
  emailHint: 'Para distinguir a los operadores. No se envía ningún correo.',
  none: 'Esta dirección no contiene un enlace. Copia el enlace completo, con todo lo que sigue a `#`.',
  signInFirst: 'Iniciar sesión',
  setUp: 'Prepara tu acceso',
  setUpText:
    'Los enlaces funcionan una vez. Desde ahora entras con una llave de acceso: tu huella, tu cara o el PIN de este dispositivo.',
  codes: 'Códigos de recuperación',
  codesText:
    'Si pierdes tu llave de acceso, cada código te deja entrar una vez. Guárdalos en tu gestor de contraseñas. No se muestran de nuevo.',
  makeCodes: 'Crear códigos de recuperación',
  done: 'Ir a tus aplicaciones',
  later: 'Más tarde',
};

export const recovery: Strings['recovery'] = {
  title: 'Usar un código de recuperación',
  intro: 'Cada código funciona una vez. Al entrar puedes añadir una llave de acceso nueva.',
  email: 'Dirección de correo',
  code: 'Código de recuperación',
  submit: 'Entrar',
  back: 'Volver al inicio de sesión',
  wrong: 'La dirección o el código es incorrecto, o el código ya se usó.',
};

export const account: Strings['account'] = {
  title: 'Cuenta',
  profile: 'Perfil',
  name: 'Nombre',
  email: 'Dirección de correo',
  emailHint: 'Un administrador puede cambiarla; la propia de un administrador, otro administrador.',
  looks: 'Idioma y tema',
  passkeys: 'Llaves de acceso',
  nudgeCodes: 'No tienes códigos de recuperación: sin tu llave de acceso no podrías entrar.',
  nudgePasskey: 'Tienes una sola llave de acceso. Añade otra, en otro dispositivo, por si la pierdes.',
  passkeysNone: 'No tienes llave de acceso. Añade una, o necesitarás un enlace para volver a entrar.',
  addPasskey: 'Añadir una llave de acceso',
  passkeyLabel: 'Nombre de esta llave',
  passkeyLabelHint: 'Por ejemplo el dispositivo: «Portátil del trabajo».',
  rename: 'Renombrar',
  added: 'añadida',
  used: 'último uso',
  removePasskey: label => `¿Quitar la llave «${label}»?`,
  removePasskeyText: 'Ya no podrás entrar con ella. En tu dispositivo sigue hasta que la borres allí.',
  codes: 'Códigos de recuperación',
  codesText: 'Diez códigos para el día en que pierdas tu llave. Los nuevos sustituyen a los anteriores.',
  codesLeft: n => `Te quedan ${n}.`,
  makeCodes: 'Crear códigos nuevos',
  codesTitle: 'Tus códigos de recuperación',
  codesOnce: 'Se muestran una vez. Guárdalos en tu gestor de contraseñas.',
  codesKept: 'Los he guardado',
  sessions: 'Sesiones',
  thisSession: 'esta',
  means: { link: 'con un enlace', passkey: 'con llave de acceso', recovery: 'con un código de recuperación' },
  began: 'empezó',
  seen: 'última actividad',
  end: 'Cerrar',
};
