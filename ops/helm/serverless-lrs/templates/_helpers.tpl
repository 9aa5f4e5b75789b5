{{- /* The name of all objects: that of the release, which should say that it is an LRS. */ -}}
{{- define "lrs.name" -}}
{{- $full := contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) -}}
{{- $name := $full | trunc 52 | trimAll "-" -}}
{{- if not (regexMatch "^[a-z][a-z0-9-]*$" $name) -}}
{{- fail (printf "the release %s has a name that a Service cannot have: it must begin with a letter and have lower-case letters, digits and - only, such as lrs" .Release.Name) -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{- define "lrs.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lrs.labels" -}}
{{ include "lrs.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* What pods of the server and of the migration share; `component` tells them apart. */ -}}
{{- define "lrs.pod" -}}
serviceAccountName: {{ .Values.serviceAccountName }}
automountServiceAccountToken: false
# Its variables would begin with the name of the release, as settings do.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  # The certificate that the server makes for HTTPS.
  - name: data
    emptyDir: {}
{{- end -}}

{{- define "lrs.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* How many pods the installed release asks for, and with which image: `{}` before installation, and where no cluster is asked. */ -}}
{{- define "lrs.installed" -}}
{{- with lookup "apps/v1" "Deployment" .Release.Namespace (include "lrs.name" .) -}}
{{- dict "replicas" (int .spec.replicas) "image" (first .spec.template.spec.containers).image | toJson -}}
{{- else -}}
{}
{{- end -}}
{{- end -}}

{{- define "lrs.container" -}}
image: {{ include "lrs.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: LRS_DB_TYPE
    value: {{ .Values.database }}
  {{- if .Values.metrics.enabled }}
  {{- if has (int .Values.metrics.port) (list 8080 8443) }}
  {{- fail (printf "metrics.port must be another than %d, on which the pods serve requests" (int .Values.metrics.port)) }}
  {{- end }}
  - name: LRS_METRICS_HOST
    value: 0.0.0.0
  - name: LRS_METRICS_PORT
    value: {{ .Values.metrics.port | quote }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  {{- if regexMatch "^LRS(QL)?_DB_TYPE$" $name }}
  {{- fail (printf "settings.%s must be left out: database says which engine it is" $name) }}
  {{- end }}
  - name: {{ $name }}
    {{- /* A number of a file of values would be written with an exponent. */}}
    value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ required "existingSecret must name the Secret with the address of the database" .Values.existingSecret }}
volumeMounts:
  - name: data
    mountPath: /data
{{- end -}}
