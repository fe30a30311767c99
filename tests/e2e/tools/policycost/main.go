// Command policycost evaluates admission policies as kube-apiserver does and prints what each object costs it, in CEL's units.
//
// It reads {"version": "1.30", "policies": [...], "objects": [...]} and writes {"errors": [...], "costs": [{...}]}: what an API server of
// that version would refuse to store, and the costs of the conditions, the validations and the message of each policy that judges an object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type input struct {
	Version  string                         `json:"version"`
	Policies []v1.ValidatingAdmissionPolicy `json:"policies"`
	Objects  []map[string]any               `json:"objects"`
}

type cost struct {
	Policy      string `json:"policy"`
	Object      int    `json:"object"`
	Conditions  int64  `json:"conditions"`
	Validations int64  `json:"validations"`
	Message     int64  `json:"message"`
	Error       string `json:"error,omitempty"`
}

type output struct {
	Errors []string `json:"errors"`
	Costs  []cost   `json:"costs"`
}

type compiled struct {
	conditions, validations, messages cel.ConditionEvaluator
}

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	found := output{Errors: []string{}, Costs: []cost{}}
	envs := environment.MustBaseEnvSet(version.MustParseGeneric(given.Version))
	for _, policy := range given.Policies {
		evaluators, errors := compile(envs, policy)
		for _, err := range errors {
			found.Errors = append(found.Errors, fmt.Sprintf("%s: %v", policy.Name, err))
		}
		for number, object := range given.Objects {
			if spent := evaluate(evaluators, object); spent != nil {
				spent.Policy, spent.Object = policy.Name, number
				found.Costs = append(found.Costs, *spent)
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}

func compile(envs *environment.EnvSet, policy v1.ValidatingAdmissionPolicy) (compiled, []error) {
	compiler, err := cel.NewCompositedCompiler(envs)
	if err != nil {
		panic(err)
	}
	options := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	var errors []error
	for _, one := range policy.Spec.Variables {
		result := compiler.CompileAndStoreVariable(&validating.Variable{Name: one.Name, Expression: one.Expression}, options, environment.NewExpressions)
		if result.Error != nil {
			errors = append(errors, result.Error)
		}
	}
	var conditions, validations, messages []cel.ExpressionAccessor
	for number := range policy.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[number]))
	}
	for _, one := range policy.Spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: one.Expression})
		messages = append(messages, &validating.MessageExpressionCondition{MessageExpression: one.MessageExpression})
	}
	result := compiled{
		compiler.CompileCondition(conditions, options, environment.NewExpressions),
		compiler.CompileCondition(validations, options, environment.NewExpressions),
		compiler.CompileCondition(messages, options, environment.NewExpressions),
	}
	for _, one := range []cel.ConditionEvaluator{result.conditions, result.validations, result.messages} {
		errors = append(errors, one.CompilationErrors()...)
	}
	return result, errors
}

// evaluate returns nil where a condition keeps the policy from the object.
func evaluate(policy compiled, object map[string]any) *cost {
	parsed := &unstructured.Unstructured{Object: object}
	kind := parsed.GroupVersionKind()
	resource := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: "any"}
	record := admission.NewAttributesRecord(parsed, nil, kind, "ns", "name", resource, "", admission.Create, nil, false, nil)
	attributes := &admission.VersionedAttributes{Attributes: record, VersionedObject: parsed, VersionedKind: kind}
	request := &admissionv1.AdmissionRequest{Operation: admissionv1.Create}
	spent := &cost{}
	met, ok := run(policy.conditions, attributes, request, &spent.Conditions, spent)
	if !ok || !met {
		if ok {
			return nil
		}
		return spent
	}
	if valid, ok := run(policy.validations, attributes, request, &spent.Validations, spent); ok && !valid {
		run(policy.messages, attributes, request, &spent.Message, spent)
	}
	return spent
}

func run(evaluator cel.ConditionEvaluator, attributes *admission.VersionedAttributes, request *admissionv1.AdmissionRequest, used *int64, spent *cost) (bool, bool) {
	results, left, err := evaluator.ForInput(context.Background(), attributes, request, cel.OptionalVariableBindings{}, nil, celconfig.RuntimeCELCostBudget)
	if err != nil {
		spent.Error = err.Error()
		return false, false
	}
	*used = celconfig.RuntimeCELCostBudget - left
	all := true
	for _, result := range results {
		if result.Error != nil {
			spent.Error = result.Error.Error()
			return false, false
		}
		if value, isBool := result.EvalResult.Value().(bool); isBool && !value {
			all = false
		}
	}
	return all, true
}
