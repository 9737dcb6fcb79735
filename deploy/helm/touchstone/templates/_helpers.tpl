{{- define "touchstone.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "touchstone.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "touchstone.labels" -}}
{{ include "touchstone.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "touchstone.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "touchstone.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end }}

{{/* What the pods of the service and of the migration have in common. */}}
{{- define "touchstone.pod" -}}
serviceAccountName: {{ include "touchstone.serviceAccount" . }}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "touchstone.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* Nothing is kept in them: keys come from the environment, the database is elsewhere. */}}
{{- define "touchstone.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- end }}

{{/* Settings of the service, given the context and its role. */}}
{{- define "touchstone.settings" -}}
{{- $role := .role -}}
{{- with .context -}}
- { name: ROLE, value: {{ $role }} }
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "8088" }
{{- if and (eq $role "api") .Values.service.grpcPort }}
- { name: OTLP_GRPC_PORT, value: "4317" }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "touchstone.deployment" -}}
{{- $role := .role -}}
{{- $own := .own -}}
{{- with .context -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "touchstone.name" . }}-{{ $role }}
  labels:
    {{- include "touchstone.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "touchstone.selector" . | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "touchstone.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      {{- with $own.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "touchstone.pod" . | nindent 6 }}
      # The service ends in order within 20 seconds of SIGTERM; before it, it leaves the endpoints.
      terminationGracePeriodSeconds: 40
      containers:
        - name: touchstone
          {{- include "touchstone.container" . | nindent 10 }}
          env:
            {{- include "touchstone.settings" (dict "context" . "role" $role) | nindent 12 }}
          ports:
            - { name: http, containerPort: 8088 }
            {{- if and (eq $role "api") .Values.service.grpcPort }}
            - { name: grpc, containerPort: 4317 }
            {{- end }}
          lifecycle:
            preStop:
              exec: { command: [sleep, "5"] }
          # An empty or an older database is brought up to date before it listens.
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
          resources: {{- toYaml $own.resources | nindent 12 }}
      volumes:
        {{- include "touchstone.volumes" . | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "touchstone.selector" . | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
      {{- with $own.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
{{- end }}

{{- define "touchstone.podDisruptionBudget" -}}
{{- $role := .role -}}
{{- $own := .own -}}
{{- with .context -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "touchstone.name" . }}-{{ $role }}
  labels: {{- include "touchstone.labels" . | nindent 4 }}
spec:
  {{- toYaml $own.podDisruptionBudget | nindent 2 }}
  selector:
    matchLabels:
      {{- include "touchstone.selector" . | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
{{- end }}
{{- end }}
