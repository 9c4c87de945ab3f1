/** Spanish: what stands on every page, what went wrong, signing in, links, recovery, and the account. */
import type { Strings } from '../en/index.ts';

export const common: Strings['common'] = {
  name: 'Nombre',
  email: 'Dirección de correo',
  team: 'Equipo',
  plan: 'Plan',
  type: 'Tipo',
  userId: 'ID del usuario',
  when: 'Cuándo',
  what: 'Qué',
  from: 'Desde',
  browser: 'Navegador',
  created: 'Creada',
  status: 'Estado',
  actions: 'Acciones',
  copy: 'Copiar',
  copied: 'Copiado',
  cancel: 'Cancelar',
  close: 'Cerrar',
  again: 'Reintentar',
  loading: 'Cargando…',
  save: 'Guardar',
  never: 'nunca',
  you: 'tú',
  remove: 'Quitar',
};

export const nav: Strings['nav'] = {
  skip: 'Ir al contenido',
  main: 'Menú principal',
  menu: 'Menú',
  apps: 'Aplicaciones',
  account: 'Cuenta',
  installation: 'Instalación',
  docs: 'API HTTP',
  tryIt: 'Pruébalo',
  overview: 'Resumen',
  users: 'Usuarios',
  events: 'Eventos',
  faces: 'Caras',
  keys: 'Claves',
  webhooks: 'Webhooks',
  refusals: 'Rechazos',
  settings: 'Ajustes',
  app: 'Aplicación',
  mode: 'Modo',
  live: 'Real',
  test: 'Prueba',
  testMode: 'Modo de prueba',
  testModeText: 'Solo usuarios y claves de prueba. Nada de aquí toca los datos reales.',
  signOut: 'Cerrar sesión',
  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  away: 'El servicio no responde. Esta página sigue intentándolo y no se pierde nada de lo que has escrito.',
  draining: 'El servicio se está deteniendo. Puede no estar disponible por un momento.',
  newVersion: 'El portal se actualizó mientras esta página estaba abierta.',
  reload: 'Recargar',
};

export const roles: Strings['roles'] = {
  admin: 'Administrador',
  owner: 'Propietario',
  developer: 'Desarrollador',
  support: 'Soporte',
  viewer: 'Lector',
};

export const faults: Strings['faults'] = {
  request: 'petición',
  back: 'El servicio ha vuelto. Inténtalo otra vez.',
  looking: 'Se vuelve a intentar cada pocos segundos…',
  noRight: 'Tu rol no puede hacer esto. Pueden:',
  goneTitle: 'Aquí no hay nada',
  gone: 'Se eliminó, es de otro equipo o la dirección está mal escrita.',
  wait: seconds =>
    seconds < 90
      ? `Demasiados intentos. Prueba de nuevo en ${seconds} segundos.`
      : `Demasiados intentos. Prueba de nuevo en ${Math.ceil(seconds / 60)} minutos.`,
  codes: {
    offline: 'El servicio no responde.',
    service_unavailable: 'El servicio no puede responder ahora.',
    internal_error: 'Algo falló en el servicio. Quedó registrado con este identificador de petición.',
    forbidden: 'Tu rol no puede hacer esto.',
    step_up_required: 'Esto necesita otra vez tu llave de acceso. No se ha cambiado nada.',
    unauthorized: 'No has iniciado sesión, o esta credencial no es válida.',
    link_used: 'Este enlace ya se usó, caducó o fue retirado. Pide uno nuevo.',
    last_owner: 'Un equipo necesita un propietario. Nombra antes a otra persona.',
    last_admin: 'La instalación necesita un administrador. Nombra antes a otra persona.',
    sign_in_first: 'Esta dirección es de un operador. Inicia sesión y abre el enlace de nuevo.',
    email_taken: 'Ya existe un operador con esta dirección. Inicia sesión.',
    rate_limited: 'Demasiados intentos. Espera un momento.',
    origin_not_allowed: 'Esta dirección del portal no es la configurada (`PORTAL_URL`).',
  },
};

export const passkeyFaults: Strings['passkeyFaults'] = {
  cancelled: 'No se usó la llave de acceso: se cerró el aviso o se agotó el tiempo.',
  exists: 'Este dispositivo ya tiene una llave de acceso de tu cuenta.',
  unsupported: 'Este navegador o dispositivo no puede crear esa llave de acceso.',
};

export const over: Strings['over'] = {
  title: 'Inicia sesión de nuevo',
  text: 'Tu sesión terminó. Inicia sesión para seguir donde estabas: esta página se queda como está.',
  elsewhere: 'Usar un código de recuperación o un enlace',
};

export const step: Strings['step'] = {
  title: 'Confirma que eres tú',
  text: 'Esta acción necesita otra vez tu llave de acceso. Después tienes 5 minutos.',
  passkey: 'Usar una llave de acceso',
  none: '¿No tienes la llave a mano? Entra de nuevo con un enlace, que vale 5 minutos:',
};

export const signIn: Strings['signIn'] = {
  title: 'Iniciar sesión',
  intro: 'El portal es para quienes operan este servicio o desarrollan con él.',
  passkey: 'Entrar con una llave de acceso',
  waiting: 'Esperando tu llave de acceso…',
  helpTitle: '¿Aún sin llave de acceso?',
  help: 'En la máquina del servicio, uno de estos muestra un enlace. El primero crea un administrador.',
  helpSettings: 'Ejecútalo como el usuario del servicio, con su configuración: SETTINGS_FILE o DATA_DIR.',
  helpMore: '¿Te invitaron a un equipo? Abre el enlace que te enviaron.',
  unsupported: 'Este navegador no tiene llaves de acceso. Usa un código de recuperación o un enlace.',
  notLocalhost: url => `Las llaves de acceso no funcionan en esta dirección. Abre ${url}.`,
  healthy: 'El servicio funciona bien.',
  degraded: 'El servicio funciona, pero necesita atención.',
  down: 'El servicio no funciona.',
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
  setUp: 'Prepara tu acceso',
  setUpText:
    'Los enlaces funcionan una vez. Desde ahora entras con una llave de acceso: tu huella, tu cara o el PIN de este dispositivo.',
  codesText:
    'Si pierdes tu llave de acceso, cada código te deja entrar una vez. Guárdalos en tu gestor de contraseñas. No se muestran de nuevo.',
  makeCodes: 'Crear códigos de recuperación',
  done: 'Ir a tus aplicaciones',
  later: 'Más tarde',
};

export const recovery: Strings['recovery'] = {
  title: 'Usar un código de recuperación',
  intro: 'Cada código funciona una vez. Al entrar puedes añadir una llave de acceso nueva.',
  code: 'Código de recuperación',
  submit: 'Entrar',
  back: 'Volver al inicio de sesión',
  wrong: 'La dirección o el código es incorrecto, o el código ya se usó.',
};

export const account: Strings['account'] = {
  profile: 'Perfil',
  emailHint: 'Solo un administrador puede cambiarla. La de un administrador la cambia otro administrador.',
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
